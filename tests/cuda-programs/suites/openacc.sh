# Programs of this checkout in C with OpenACC, compiled by GCC 12. libgomp opens libcuda.so.1, and links the PTX that GCC has made
# with the PTX of its own libraries. Each program computes its results on the processor, too, and its exit status is 1 if they differ.
# shellcheck shell=bash disable=SC2034,SC2154

goal=2
origin=
list=

prepare() {
    cp "$here"/openacc/*.c .
    gcc=$("$here/setup" gcc) || return 1
    ln -s "$gcc" gcc
}

programs() {
    cat <<'PROGRAMS'
vectors|.|openacc vectors|on_device ./vectors|prints '^vectors: histogram: wrong=0'
reductions|.|openacc reductions|on_device ./reductions|prints '^reductions: product of matrices: right'
PROGRAMS
}

openacc() { # NAME
    gcc/gcc -O2 -Wall -Wextra -fopenacc -foffload=nvptx-none -no-pie "$1.c" -o "$1" -lm
}

# Without a device, the program fails instead of running on the processor.
on_device() {
    LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(readlink -f gcc)/root/usr/lib/x86_64-linux-gnu ACC_DEVICE_TYPE=nvidia "$@"
}
