"""Reads traces of the runtime: openmp-runtime/src/locus/trace/FORMAT.md has the format."""
