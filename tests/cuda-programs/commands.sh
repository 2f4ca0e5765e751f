# Format of a suite, and the commands that its builds, runs and checks may use. Sourced by run before the suite's own file.
#
# A suite is a file suites/NAME.sh, or suite.sh in a folder that is passed to run. It sets variables and defines functions:
#
#   goal=19                 number of programs that must pass
#   origin=rodinia          name of the sources in setup, or empty: they are in this checkout, or in the suite's folder
#   list=rodinia.list       file with the names of the programs, fixed before they were compiled, or empty: all that
#                           the suite defines. A name that the suite does not define counts as a failure
#   prepare() { ... }       copies the sources from $sources (or $here) to the current folder, and generates inputs
#   programs() { ... }      prints a line for each program:
#
#     NAME|FOLDER|BUILD|RUN|CHECK
#
#       NAME    name in the list; parts of a program have names NAME:PART, and the program passes if all parts do
#       FOLDER  folder below the copy of the sources, in which the three commands run
#       BUILD   shell command that makes the program with "cc"
#       RUN     shell command that runs the program on the GPU; its output and errors are in the file $output
#       CHECK   shell command that ends with "fails" if the program's results are wrong. Another failure says that the check
#               itself does not work
#
#   patches() { ... }       prints a line for each patch of the copy, applied with sed -E; one without an effect is an error:
#
#     NAME|FILE|REASON|EXPRESSION
#
# Commands do not contain "|"; longer ones are functions of the suite. They run with bash -euo pipefail and without standard
# input. A program that fails, or reports that its results are wrong, ends with an exit status other than 0; if the check
# fails after exit status 0, the result is "wrong" rather than "fail".
#
# Variables: root (checkout), here (folder of run), work (target/cuda-programs), sources, clang (version), output.
# shellcheck shell=bash

prepare() { cp -r "$sources"/. .; }
patches() { :; }

# Compiles CUDA C++ with gpuvm, as nvcc does: cc OPTION|FILE...
cc() { "$root/gpuvm" cc -w "$@"; }

# Compile parts for the host, and references, with the host's own compilers. Old sources need the old rules of C.
host_c() { gcc -w -std=gnu17 -fpermissive -fcommon -O2 "$@"; }
host_cxx() { g++ -w -fpermissive -O2 "$@"; }

# References have one thread: the results of some vary with more, and threads that spin at barriers are slow on a busy host.
export OMP_NUM_THREADS=1

# Generates an input: data KIND [SIZE], see tests/rodinia/data.c.
data() { "$work/tools/data" "$@"; }

# Runs a program that has random numbers seeded by the time, or that shows no results: time() is constant, and memory that
# cudaMemcpy copies to the host is in the files of "copied"; that of copies to the device in "$copies/input-NNN".
observed() { GPUVM_COPIES=$copies LD_PRELOAD=$work/tools/observe.so "$@"; }

# Path of a copy to the host, numbered from 0 in the order of the program.
copied() { printf '%s/copy-%03d' "$copies" "$1"; }

# Selects the libraries of the GPU for the commands that follow. Called by run.
on_gpu() {
    export GPUVM_CUDA=unix:$work/backend.sock
    export LD_LIBRARY_PATH=$root/cuda/client/target/lib:$root/cuda/runtime/target/lib
    if [ -n "$negative" ]; then
        export GPUVM_NO_EFFECT=launches GPUVM_NO_EFFECT_COUNT=$copies/no-effect
        export GPUVM_NO_EFFECT_LIBRARY=$root/cuda/client/target/lib/libcuda.so.1
        LD_LIBRARY_PATH=$work/no-effect:$LD_LIBRARY_PATH
    fi
}

# Ends a check whose program has wrong results: fails REASON...
fails() {
    printf '%s\n' "$*"
    exit 3
}

# Succeeds if the program's output has a line that matches an extended regular expression: prints EXPRESSION
prints() { grep -qE -- "$1" "$output" || fails "the output lacks '$1'"; }

# Fails if the program's output has a line that matches: never EXPRESSION
never() {
    local line
    ! line=$(grep -m 1 -E -- "$1" "$output") || fails "output: $line"
}

# Runs a program that compares results, with exit status 0 if they are right, 1 if they are wrong, 2 if there is no reference.
verdict() {
    local status=0
    "$@" || status=$?
    case $status in
    0) ;;
    1) exit 3 ;;
    *) exit 1 ;;
    esac
}

# Compares numbers in two text files: agree FILE REFERENCE [RELATIVE [ABSOLUTE]]. With --float, --double or --int before FILE,
# this file is binary. Words that are not numbers must be equal. Default: equal numbers.
agree() {
    local kind=()
    case $1 in --*) kind=("$1") && shift ;; esac
    verdict "$work/tools/agree" "${kind[@]}" "$1" "$2" "${3:-0}" "${4:-0}"
}
