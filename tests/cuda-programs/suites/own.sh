# Programs of this checkout, of kinds that the papers about rCUDA measured. Each computes its result on the processor, too, and its exit
# status is 1 if the results differ.
# shellcheck shell=bash disable=SC2034,SC2154

goal=2
origin=
list=

prepare() { cp "$here"/own/*.cu .; }

programs() {
    cat <<'PROGRAMS'
triangles|.|cc -O2 triangles.cu -o triangles|./triangles 11 16000 1|prints 'triangles=54831, wrong vertices=0'
smith_waterman|.|cc -O2 smith_waterman.cu -o smith_waterman|./smith_waterman 24 120 300 1|prints 'pairs=24, wrong=0'
PROGRAMS
}
