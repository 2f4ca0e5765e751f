# Samples of CUDA: github.com/NVIDIA/cuda-samples, tag v12.5. Their own Makefiles build them, with "gpuvm cc" in the place of nvcc. The
# exit status, or a line of the output, is the result of the sample's own check, unless a comment says otherwise.
# shellcheck shell=bash disable=SC2034,SC2154

goal=44
launchless=3 # deviceQuery, deviceQueryDrv; simpleSeparateCompilation, whose own check accepts kernels without effect
origin=samples
list=samples.list

prepare() {
    local name
    cp -r "$sources/Common" .
    sed -e '/^#/d' "$here/samples.list" | while IFS= read -r name; do
        mkdir -p "Samples/$(dirname "$name")"
        cp -r "$sources/Samples/$name" "Samples/$name"
    done
    haar_signal >Samples/5_Domain_Specific/dwtHaar1D/signal.txt
    haar_transform <Samples/5_Domain_Specific/dwtHaar1D/signal.txt >Samples/5_Domain_Specific/dwtHaar1D/gold.txt
}

programs() {
    local name arguments check program
    while IFS='|' read -r name arguments check; do
        program=${name##*/}
        printf '%s|Samples/%s|build %s|start ./%s|%s\n' "$name" "$name" "$program" "$program${arguments:+ $arguments}" "${check:-true}"
    done < <(runs)
}

# Name, arguments, check of the output. Arguments reduce the sizes of samples that would run for more than a minute.
runs() {
    cat <<'RUNS'
0_Introduction/asyncAPI||
0_Introduction/clock||check_clock
0_Introduction/cppIntegration||
0_Introduction/cppOverload||
0_Introduction/matrixMul|-wA=64 -hA=64 -wB=64 -hB=64|prints 'Result = PASS'
0_Introduction/matrixMulDrv||prints 'Result = PASS'
0_Introduction/mergeSort||
0_Introduction/simpleAssert||
0_Introduction/simpleAtomicIntrinsics||
0_Introduction/simpleCallback||
0_Introduction/simpleCooperativeGroups||check_groups
0_Introduction/simpleDrvRuntime||prints 'Result = PASS'
0_Introduction/simpleHyperQ||
0_Introduction/simpleMultiCopy||
0_Introduction/simpleOccupancy||prints 'Test PASSED'
0_Introduction/simplePrintf||check_printf
0_Introduction/simpleSeparateCompilation||
0_Introduction/simpleStreams|--use_cuda_malloc_host|
0_Introduction/simpleTemplates||
0_Introduction/simpleVoteIntrinsics||
0_Introduction/simpleZeroCopy||
0_Introduction/template||
0_Introduction/vectorAdd||prints 'Test PASSED'
0_Introduction/vectorAddDrv||prints 'Result = PASS'
1_Utilities/bandwidthTest|--memory=pageable --mode=range --start=1048576 --end=1048576 --increment=1048576|check_bandwidth
1_Utilities/deviceQuery||check_query
1_Utilities/deviceQueryDrv||check_query
2_Concepts_and_Techniques/convolutionSeparable||prints 'Test passed'
2_Concepts_and_Techniques/eigenvalues|--iters-timing=1|
2_Concepts_and_Techniques/histogram||prints 'Test passed'
2_Concepts_and_Techniques/inlinePTX||
2_Concepts_and_Techniques/interval||
2_Concepts_and_Techniques/scalarProd||prints 'Test passed'
2_Concepts_and_Techniques/scan||
2_Concepts_and_Techniques/sortingNetworks||
2_Concepts_and_Techniques/threadFenceReduction|--n=65536|
5_Domain_Specific/BlackScholes||prints 'Test passed'
5_Domain_Specific/FDTD3d|--dimx=64 --dimy=64 --dimz=64 --radius=4 --timesteps=2|
5_Domain_Specific/SobolQRNG|--vectors=10000 --dimensions=50|
5_Domain_Specific/binomialOptions||prints 'Test passed'
5_Domain_Specific/dwtHaar1D|--signal=signal.txt --result=result.txt --gold=gold.txt|prints 'Test success'
5_Domain_Specific/fastWalshTransform||prints 'Test passed'
5_Domain_Specific/quasirandomGenerator||
6_Performance/alignedTypes||prints 'Test passed'
6_Performance/transpose|-dimX=128 -dimY=128|prints 'Test passed'
RUNS
}

# Builds with the sample's Makefile, which also makes fatbins.
build() { # NAME
    case $negative$1 in
    yesdeviceQuery*)
        echo 'error: the sample launches no kernel'
        return 1
        ;;
    yessimpleSeparateCompilation)
        echo 'error: the kernels multiply and divide by two, so that the check accepts kernels without effect'
        return 1
        ;;
    esac
    make --silent NVCC="$root/gpuvm cc -w" CUDA_SEARCH_PATH="$root/cuda/client/target/lib"
    # A Makefile that lacks a library succeeds without a program.
    [ -x "$1" ]
}

start() { # PROGRAM ARGUMENT...
    case $1 in
    # The sample has no kernels: its negative control are copies without effect.
    */bandwidthTest) observed env ${negative:+GPUVM_NO_EFFECT=copies} "$@" ;;
    *) "$@" ;;
    esac
}

# The clocks that the kernel has measured, without a check in the sample.
check_clock() { prints '^Average clocks/block = [1-9]'; }

# Five sums of ranks, which the sample prints with the expected value, but does not compare.
check_groups() {
    [ "$(grep -c 'Sum of all ranks' "$output")" -eq 5 ] || fails 'the output has not five sums'
    grep -E 'Sum of all ranks' "$output" | grep -vE 'is ([0-9]+) \(expected \1\)' >wrong || return 0
    fails "$(head -n 1 wrong)"
}

# A line for each of eight threads in each of four blocks.
check_printf() {
    local expected
    expected=$(for block in 0 1 2 3; do for thread in 0 1 2 3 4 5 6 7; do echo "[$block, $thread]: Value is:10"; done; done)
    [ "$(tr -s '\t' ' ' <"$output" | grep 'Value is' | sort)" = "$expected" ] || fails 'the lines of the kernel are wrong'
}

# The sample measures, and does not compare the copied bytes: its first copy to the host has the bytes 0 to 255 again and again.
check_bandwidth() {
    prints 'Result = PASS'
    [ "$(od -An -v -tu1 -w256 "$(copied 0)" | tr -s ' ' | sort -u)" = " $(seq -s ' ' 0 255)" ] || fails 'the copied bytes are wrong'
}

check_query() {
    prints 'Result = PASS'
    prints 'CUDA Capability Major/Minor version number: +2\.0'
    prints 'Total amount of shared memory per block: +49152 bytes'
}

# A signal of 4,096 numbers.
haar_signal() { awk 'BEGIN { for (i = 0; i < 4096; i++) printf "%d.%d ", (i * 7919) % 101 - 50, i % 4 }'; }

# Haar's wavelet transform: averages in front of the differences of each level.
haar_transform() {
    tr ' ' '\n' | awk '
        NF { value[count++] = $1 }
        END {
            for (size = count; size > 1; size /= 2) {
                for (i = 0; i < size / 2; i++) {
                    average[i] = (value[2 * i] + value[2 * i + 1]) / sqrt(2)
                    detail[size / 2 + i] = (value[2 * i] - value[2 * i + 1]) / sqrt(2)
                }
                for (i = 0; i < size / 2; i++) value[i] = average[i]
            }
            printf "%.6f ", value[0]
            for (i = 1; i < count; i++) printf "%.6f ", detail[i]
        }'
}
