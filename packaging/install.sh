#!/bin/sh
# Installs the archive that this file lies in. Changes nothing outside of the folder that is named.
set -eu
export LC_ALL=C

usage() {
  cat <<'TXT'
usage: ./install.sh --prefix DIR
       ./install.sh --version

Copies this archive into the folder DIR, which must not exist yet or be empty. Needs no root, no network and no compiler.
To remove it, delete DIR. To move it, move DIR; programs that were linked with it look for it where it was.
TXT
}

die() {
  echo "install.sh: error: $1" >&2
  exit 1
}

prefix=
while [ $# -gt 0 ]; do
  case $1 in
  -h | --help) usage; exit 0 ;;
  --prefix) [ $# -ge 2 ] || { echo "install.sh: error: --prefix wants a folder" >&2; exit 2; }; prefix=$2; shift 2 ;;
  --version) echo "Locus $(cat "$(dirname "$0")/share/locus/VERSION")"; exit 0 ;;
  --prefix=*) prefix=${1#--prefix=}; shift ;;
  *) usage >&2; exit 2 ;;
  esac
done
[ -n "$prefix" ] || { usage >&2; exit 2; }
case $prefix in
*:*) die "$prefix: a folder with a colon in its name cannot stand in PATH" ;;
/*) ;;
*) prefix=$PWD/$prefix ;;
esac
here=$(cd "$(dirname "$0")" && pwd -P)
cd "$here"

# The machine.
machine=$(cat share/locus/machine 2>/dev/null) || die "the archive is not complete (share/locus/machine): unpack it again"
[ "$(uname -s) $(uname -m)" = "Linux $machine" ] || die "this archive is for Linux on $machine, and here is $(uname -s) on $(uname -m)"
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null) || die "this archive needs glibc, and the C library here is another one"
have=${libc#glibc }

# The archive.
for file in files.sha256 glibc; do
  [ -f share/locus/$file ] || die "the archive is not complete (share/locus/$file): unpack it again"
done
broken=$(sha256sum --check --quiet share/locus/files.sha256 2>/dev/null | sed -n 's,^\./\(.*\): FAILED.*,\1,p' | head -n 1)
[ -z "$broken" ] || die "the archive is damaged ($broken): unpack it again, or get it again"
need=$(cat share/locus/glibc)
[ "$(printf '%s\n%s\n' "$need" "$have" | sort -V | head -n 1)" = "$need" ] ||
  die "this archive needs glibc $need or newer, and here is glibc $have"

# The place.
parent=$prefix
while [ ! -e "$parent" ] && [ ! -L "$parent" ]; do
  parent=$(dirname "$parent")
done
[ -d "$parent" ] || die "$parent is not a folder"
if [ ! -w "$parent" ] || [ ! -x "$parent" ]; then
  die "$parent: no permission to write there"
fi
case $parent/ in
"$here"/*) die "$prefix lies in the archive itself: name another folder" ;;
esac
if [ -d "$prefix" ] && [ -n "$(ls -A "$prefix")" ]; then
  if [ -f "$prefix/share/locus/files.sha256" ]; then
    die "$prefix holds an installation already: delete it first (rm -r), or name another folder"
  fi
  die "$prefix is not empty: name a folder that is new or empty"
fi
size=$(du -sk . | cut -f 1)
free=$(df -Pk "$parent" | awk 'NR == 2 { print $4 }')
[ "$free" -gt "$size" ] || die "$parent has $((free / 1024)) MiB free, and $((size / 1024 + 1)) MiB are needed"

made=no
[ -d "$prefix" ] || made=yes
mkdir -p "$prefix" 2>/dev/null || die "$prefix cannot be made: $parent takes no folder"
undo() {
  for entry in *; do
    rm -rf "${prefix:?}/$entry"
  done
  [ "$made" = no ] || rmdir "$prefix" 2>/dev/null || true
}
trap 'undo; exit 1' HUP INT TERM
cp -R -P --preserve=mode,timestamps ./* "$prefix" || { undo; die "copying to $prefix failed, and was undone"; }
if ! problem=$("$prefix/bin/locus-env" --check 2>&1); then
  undo
  die "what was copied does not run here, and was removed: $problem"
fi
trap - HUP INT TERM

if [ -x "$prefix/bin/clang" ]; then
  contents="The compiler and the runtime are"
else
  contents="The runtime is"
fi
cat <<TXT
$contents in $prefix. For this shell:
  eval "\$('$prefix/bin/locus-env')"
or, with environment modules:
  module use '$prefix/share/modulefiles' && module load locus
TXT
if [ -x "$prefix/bin/clang" ] && ! echo 'int main(void) { return 0; }' | "$prefix/bin/clang" -x c - -o /dev/null 2>/dev/null; then
  echo "This system has no C library to link with yet: clang needs the headers and start files of gcc (its package or module)."
fi
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 9))' 2>/dev/null; then
  echo "There is no python3 of version 3.9 or newer in PATH: locus-check, locus-doctor and locus-trace need it (and locus-trace numpy)."
fi
