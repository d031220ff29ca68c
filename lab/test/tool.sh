#!/bin/sh
# tool.sh LOCUS-LAB LOCUS-TRACE: the command line, and each of its refusals in one line.
lab=$1 trace=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# refused TEXT ARGUMENT...: the command fails with status 2 and one line that has the text.
refused() {
  text=$1
  shift
  "$lab" "$@" >"$folder/out" 2>"$folder/err"
  status=$?
  if [ "$status" -ne 2 ]; then
    echo "not refused: locus-lab $*: exit status $status"
    failed=1
  elif [ "$(wc -l <"$folder/err")" -ne 1 ] || ! grep -q -e "$text" "$folder/err"; then
    echo "locus-lab $*: wanted one line with '$text', got:"
    cat "$folder/err"
    failed=1
  fi
}

# says TEXT ARGUMENT...: the command succeeds and prints the text.
says() {
  text=$1
  shift
  if ! "$lab" "$@" >"$folder/out" 2>&1 || ! grep -q -e "$text" "$folder/out"; then
    echo "locus-lab $*: wanted '$text', got:"
    cat "$folder/out"
    failed=1
  fi
}

says 'uv2000' machines
says 'memory_ns of class 3 .*line fill buffers' machines uv2000
says 'jacobi:order=' programs
says '^tasks 3192$' run --machine epyc-7742 --threads 8 fib:n=16
says '^tasks 952$' run --machine=cascade-lake --contender stock cholesky:order=4096

says 'usage: locus-lab \[option...\] COMMAND' --help
says 'usage: locus-lab run --machine M' run -h
says '^locus-lab [0-9.]*$' --version
says 'usage: locus-lab predict --machine M' predict --help
says '^  --scale FIGURE=FACTOR ' run --machine uv2000 --help
says '"tasks": 3192' run --json --machine epyc-7742 --threads 8 fib:n=16
says '"source":' machines --json uv2000
says '"jacobi:order=' programs --json

# What the laboratory writes is a trace as any other.
says '^tasks 324$' run --machine cascade-lake --threads 4 --trace "$folder/a.trace" \
  jacobi:order=768,block=128,steps=4,place=data,touch=owners
says '^with the clause' predict --machine epyc-7742 --trace "$folder/b.trace" "$folder/a.trace"
says '"name": "with the clause"' predict --json --machine cascade-lake --threads 4 "$folder/a.trace"
for name in a b; do
  if ! "$trace" check "$folder/$name.trace" >"$folder/out" 2>&1 || ! grep -q '324 tasks' "$folder/out"; then
    echo "locus-trace check $name.trace:"
    cat "$folder/out"
    failed=1
  fi
done
refused 'cannot be written' run --machine cascade-lake --threads 2 --trace "$folder/no/a.trace" fib:n=5
refused '--threads 193: uv2000 has 192' predict --machine uv2000 --threads 193 "$folder/a.trace"
says '^tasks 0$' run --machine cascade-lake --threads 2 --trace "$folder/none.trace" barriers:rounds=2
refused 'no task that ran' predict --machine uv2000 "$folder/none.trace"

# What takes minutes says so before it begins.
"$(dirname "$0")/../../test/runtime/Inputs/make-trace" "$folder/many.trace" 60000
: >"$folder/out"
"$lab" predict --machine uv2000 "$folder/many.trace" >/dev/null 2>"$folder/out" &
while ! grep -q '^240000 simulated tasks: expect 0 to 2 minutes$' "$folder/out"; do
  if ! kill -0 $! 2>/dev/null; then
    echo "predict of 60000 tasks did not say how long it takes:"
    cat "$folder/out"
    failed=1
    break
  fi
  sleep 0.1
done
kill $! 2>/dev/null
wait

refused "'--fast' is not expected" run --fast
refused "'prdict' is not expected" prdict
refused 'subcommand is required'
refused "'x' is not expected" programs x
refused 'json' machines --json=3
refused '--machine is required' run fib
refused 'no machine file abacus' run --machine abacus fib
refused 'PROGRAM is required' run --machine uv2000
refused "there is no program 'fob'" run --machine uv2000 fob
refused "'m' is not known" run --machine uv2000 fib:m=3
refused '--threads 193: uv2000 has 192 processors' run --machine uv2000 --threads 193 fib
refused '--threads: Value 0 not in range' run --machine uv2000 --threads 0 fib
refused '--threads: Value two not in range' run --machine uv2000 --threads two fib
refused '--seed: Value -1 not in range' run --machine uv2000 --seed -1 fib
refused '--machine: 1 required' run --machine
refused '--machine: At Most 1' run --machine uv2000 --machine uv2000 fib
refused "there is no scheduler 'tbb'" run --machine uv2000 --contender tbb fib:n=5
refused "no figure 'speed'" run --machine uv2000 --scale speed=2 fib
refused 'that is no number' run --machine uv2000 --scale memory_ns=big fib
refused 'NAME=VALUE' run --machine uv2000 --set KMP_TASK_STEAL fib
refused 'TRACE is required' predict --machine uv2000
refused 'cannot be opened' predict --machine uv2000 "$folder/nothing.trace"
refused 'that is a folder' predict --machine uv2000 "$folder"
echo 'no trace at all' >"$folder/text.trace"
refused 'no trace of KMP_TASK_TRACE' predict --machine uv2000 "$folder/text.trace"
: >"$folder/empty.trace"
refused 'the file is empty' predict --machine uv2000 "$folder/empty.trace"
printf '{"name": "x"}' >"$folder/x.json"
refused 'description is missing' run --machine "$folder/x.json" fib
refused "'b' is not expected" measure a b

exit $failed
