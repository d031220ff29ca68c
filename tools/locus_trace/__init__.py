"""Reads traces of the runtime: openmp-runtime/src/locus/trace/README.md has the format."""
