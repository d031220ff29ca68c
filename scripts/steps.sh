# shellcheck shell=bash
# Sourced by scripts/setup, run and test: steps with a heading, a log each, and a last word when one fails.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
# The LLVM that everything is built on by default.
# shellcheck disable=SC2034 # used where this is sourced
read -r llvm_major _ < <(grep '^[0-9]' "$root/cmake/llvm-version")
# shellcheck disable=SC2034
llvm_prefix=/usr/lib/llvm-$llvm_major
# Seconds count from the first script of a chain.
export LOCUS_STARTED=${LOCUS_STARTED:-$EPOCHSECONDS}

die() {
  printf '%s: error: %s\n' "${0##*/}" "$1" >&2
  shift
  [ $# -eq 0 ] || printf '  %s\n' "$@" >&2
  exit 1
}

heading() {
  printf '\n=== [%4d s] %s\n' $((EPOCHSECONDS - LOCUS_STARTED)) "$1"
}

# step NAME TITLE ADVICE COMMAND...: runs COMMAND with its output shown and kept in build/log/NAME.log. When it fails, says so with
# ADVICE and ends the script.
step() {
  local name=$1 title=$2 advice=$3 status=0
  shift 3
  heading "$title"
  mkdir -p "$build/log"
  "$@" </dev/null 2>&1 | tee "$build/log/$name.log" || {
    status=${PIPESTATUS[0]}
    # Only tee failed: a full disk, most likely.
    [ "$status" -ne 0 ] || status=1
  }
  [ "$status" -eq 0 ] && return 0
  local free
  free=$(df -Pm "$build" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge 50 ] || advice="The disk is full ($free MiB free in $build): make room and run the same command again."
  printf '\n=== [%4d s] FAILED: %s\n  %s\n  Log: %s\n' $((EPOCHSECONDS - LOCUS_STARTED)) "$title" "$advice" "$build/log/$name.log" >&2
  exit 1
}
