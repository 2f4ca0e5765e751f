# Rodinia 3.1: github.com/yuhc/gpu-rodinia. The references are the archive's programs for OpenMP, the checks of the programs
# themselves, and small programs in ../rodinia where the archive has neither. Inputs are generated. Some programs show no results:
# their memory is observed when they copy it to the host.
# shellcheck shell=bash disable=SC2034,SC2154

goal=19
origin=rodinia
list=rodinia.list

prepare() {
    local name
    cp -r "$sources/cuda" "$sources/openmp" "$sources/common" .
    mkdir -p data/{b+tree,bfs,cfd,dwt2d,heartwall,hotspot,hotspot3D,huffman,kmeans,leukocyte,mummergpu,myocyte,nn,srad}
    data keys 4000 >data/b+tree/keys.txt
    printf 'j 200 100\nk 500\n' >data/b+tree/command.txt
    data graph 4096 >data/bfs/graph.txt
    data mesh 16 >data/cfd/mesh
    data bytes $((64 * 64 * 3)) >data/dwt2d/64.rgb
    data video 2 >data/heartwall/video.avi
    data grid 64 >data/hotspot/temperature
    data grid 64 | sed 's/^3../0/' >data/hotspot/power
    { data grid 64 && data grid 64 && data grid 64 && data grid 64; } >data/hotspot3D/temperature
    sed 's/^3../0/' data/hotspot3D/temperature >data/hotspot3D/power
    data text 65536 >data/huffman/text
    for name in 0 1 2 3; do data storms $((100 + name)) >data/nn/storms$name.db; done
    printf '../../data/nn/storms%d.db\n' 0 1 2 3 >data/nn/list
    data image >data/srad/image.pgm
    myocyte_state >data/myocyte/y.txt
    # Three compartments' calmodulin, buffers, CaMKII, calcineurin and PP1; the cycle, potassium and magnesium. The archive's programs
    # disagree about the place of the second to fourth value, which are equal here.
    printf '%s\n' 418 120 120 120 96.5  5.65 24.2 0.1 0.003 0.57  5.65 24.2 0.1 0.003 0.57  1000 135 1 >data/myocyte/params.txt
}

# Initial state of a heart muscle's cell: gates, buffers and concentrations of Shannon et al., 2004, and small concentrations of
# calmodulin's states in the three compartments.
myocyte_state() {
    local values=(
        1.405627e-3 9.867005e-1 9.915620e-1 7.175662e-6 1.000681 2.421991e-2 1.452605e-2 4.051574e-3 9.945511e-1 4.051574e-3
        9.945511e-1 8.641386e-3 5.412034e-3 8.884332e-1 8.156628e-7 1.024274e-7 3.539892 7.720854e-1 8.773191e-3 1.078283e-1
        1.524002e-2 2.911916e-4 1.298754e-3 1.381982e-1 2.143165e-3 9.566355e-3 1.110363e-1 7.347888e-3 7.297378e-2 1.242988
        5.545201e-1 8.80329 8.80733 8.80853 120 1.737475e-4 1.031812e-4 8.597401e-5 -85.7197 0.9946 1 1 1 1 1 1
    )
    local calmodulin=(1 0.1 0.01 0.1 0.01 0.01 0.01 0.01 0.01 0.01 0.01 0.001 0.001 0.001 0.001)
    printf '%s\n' "${values[@]}" "${calmodulin[@]}" "${calmodulin[@]}" "${calmodulin[@]}"
}

programs() {
    cat <<'PROGRAMS'
b+tree|cuda/b+tree|build_btree|./b+tree.out file ../../data/b+tree/keys.txt command ../../data/b+tree/command.txt|check_btree
backprop|cuda/backprop|build_backprop|observed ./backprop 1024|check_backprop
bfs|cuda/bfs|cc bfs.cu -o bfs.out|./bfs.out ../../data/bfs/graph.txt|check_bfs
cfd:euler3d|cuda/cfd|build_cfd euler3d|./euler3d ../../data/cfd/mesh|check_cfd euler3d 1e-3
cfd:euler3d_double|cuda/cfd|build_cfd euler3d_double|./euler3d_double ../../data/cfd/mesh|check_cfd euler3d_double 1e-6
cfd:pre_euler3d|cuda/cfd|build_cfd pre_euler3d|./pre_euler3d ../../data/cfd/mesh|check_cfd pre_euler3d 1e-3
cfd:pre_euler3d_double|cuda/cfd|build_cfd pre_euler3d_double|./pre_euler3d_double ../../data/cfd/mesh|check_cfd pre_euler3d_double 1e-6
dwt2d:53|cuda/dwt2d|build_dwt2d|./dwt2d 64.rgb -d 64x64 -f -5 -l 3|check_dwt2d 53
dwt2d:97|cuda/dwt2d|build_dwt2d|./dwt2d 64.rgb -d 64x64 -f -9 -l 3|check_dwt2d 97
gaussian|cuda/gaussian|cc gaussian.cu -o gaussian|observed ./gaussian -s 48 -q|check_gaussian
heartwall|cuda/heartwall|build_heartwall|./heartwall ../../data/heartwall/video.avi 2|check_heartwall
hotspot|cuda/hotspot|cc hotspot.cu -o hotspot|./hotspot 64 2 4 ../../data/hotspot/temperature ../../data/hotspot/power output.out|check_hotspot
hotspot3D|cuda/hotspot3D|cc -g -G 3D.cu -o 3D|./3D 64 4 10 ../../data/hotspot3D/power ../../data/hotspot3D/temperature output.out|check_hotspot3d
huffman|cuda/huffman|build_huffman|./pavle ../../data/huffman/text|prints '^PASS! vectors are matching'
hybridsort|cuda/hybridsort|cc -DVERIFY bucketsort.cu mergesort.cu main.cu -o hybridsort|./hybridsort r|check_hybridsort
kmeans|cuda/kmeans|build_kmeans|./kmeans -o -i ../../data/kmeans/points|check_kmeans
lavaMD|cuda/lavaMD|build_lavamd|observed ./lavaMD -boxes1d 2|check_lavamd
leukocyte|cuda/leukocyte/CUDA|build_leukocyte|./leukocyte ../../../data/leukocyte/video.avi 2|check_leukocyte
lud|cuda/lud/cuda|build_lud|./lud_cuda -s 64 -v|prints '>>>Verify' && never dismatch
mummergpu|cuda/mummergpu/src|build_mummergpu|./mummergpu ../../../data/mummergpu/reference.fna ../../../data/mummergpu/queries.fna|check_mummergpu
myocyte:inside|cuda/myocyte|build_myocyte|./myocyte.out 3 1 0|check_myocyte 1 0
myocyte:across|cuda/myocyte|build_myocyte|./myocyte.out 3 2 1|check_myocyte 2 1
nn|cuda/nn|cc nn_cuda.cu -o nn|./nn ../../data/nn/list -r 5 -lat 30 -lng 90|check_nn
nw|cuda/nw|cc -DTRACEBACK needle.cu -o needle|./needle 64 10|check_nw
particlefilter:naive|cuda/particlefilter|cc -O3 -use_fast_math -Xcompiler -fwrapv ex_particle_CUDA_naive_seq.cu -o naive|observed ./naive -x 128 -y 128 -z 10 -np 500|check_particlefilter
particlefilter:float|cuda/particlefilter|cc -O3 -use_fast_math -Xcompiler -fwrapv ex_particle_CUDA_float_seq.cu -o float|observed ./float -x 128 -y 128 -z 10 -np 500|check_particlefilter
pathfinder|cuda/pathfinder|cc -DBENCH_PRINT pathfinder.cu -o pathfinder|./pathfinder 512 12 4|check_pathfinder
srad:v1|cuda/srad/srad_v1|cc -O3 main.cu -o srad|./srad 2 0.5 64 64|check_srad_v1
srad:v2|cuda/srad/srad_v2|cc -DOUTPUT srad.cu -o srad|./srad 64 64 0 31 0 31 0.5 2|check_srad_v2
streamcluster|cuda/streamcluster|cc -O3 streamcluster_cuda_cpu.cpp streamcluster_cuda.cu streamcluster_header.cu -o sc_gpu|./sc_gpu 10 20 16 256 256 100 none output.txt 1|check_streamcluster
PROGRAMS
}

patches() {
    cat <<'PATCHES'
particlefilter|cuda/particlefilter/ex_particle_CUDA_float_seq.cu|"<< <" and ">> >" are tokens of launches only for nvcc|s/<< </<<</; s/>> >/>>>/
PATCHES
}

build_btree() {
    host_c -O3 -c main.c util/timer/timer.c util/num/num.c
    cc -O3 main.o timer.o num.o kernel/kernel_gpu_cuda_wrapper.cu kernel/kernel_gpu_cuda_wrapper_2.cu util/cuda/cuda.cu -o b+tree.out
}

check_btree() {
    cd ../../openmp/b+tree
    host_c -O3 -fopenmp main.c kernel/kernel_cpu.c kernel/kernel_cpu_2.c util/timer/timer.c util/num/num.c -o b+tree.out -lm
    ./b+tree.out core 2 file ../../data/b+tree/keys.txt command ../../data/b+tree/command.txt >reference.log
    agree ../../cuda/b+tree/output.txt output.txt
}

build_backprop() {
    host_c -c backprop.c facetrain.c imagenet.c
    cc -O2 backprop.o facetrain.o imagenet.o backprop_cuda.cu -o backprop
}

# The program prints no results: its second and third copies are the inputs and the weights of the hidden layer.
check_backprop() {
    cd ../../openmp/backprop
    host_c -fopenmp "$here/rodinia/backprop.c" backprop.c imagenet.c -I . -o reference -lm
    ./reference 1024 | sed '/^Random number generator seed/d' >reference.txt
    agree --float "$(copied 2)" reference.txt 1e-4 1e-6
}

check_bfs() {
    cd ../../openmp/bfs
    host_cxx -fopenmp bfs.cpp -o bfs
    ./bfs 2 ../../data/bfs/graph.txt >reference.log
    agree ../../cuda/bfs/result.txt result.txt
}

# The headers helper_*.h are those of hybridsort, from CUDA's samples.
build_cfd() { # NAME
    rm -f density momentum density_energy
    cc -O2 "$1.cu" -I ../hybridsort -o "$1"
}

check_cfd() { # NAME TOLERANCE
    local file name=$1_cpu
    [[ $1 != *_double ]] || name=${1%_double}_cpu_double
    cd ../../openmp/cfd
    host_cxx -Dblock_length=8 -fopenmp "$name.cpp" -o "$name"
    "./$name" ../../data/cfd/mesh >reference.log
    for file in density momentum density_energy; do
        # The first line has the number of elements with padding, which depends on the size of blocks.
        agree <(tail -n +2 "../../cuda/cfd/$file") <(tail -n +2 "$file") "$2" "$2"
    done
}

build_dwt2d() {
    rm -f 64.rgb.dwt.*
    [ -e dwt2d ] || cc -O2 -DOUTPUT -I . main.cu dwt.cu components.cu dwt_cuda/fdwt53.cu dwt_cuda/fdwt97.cu dwt_cuda/common.cu \
        dwt_cuda/rdwt97.cu dwt_cuda/rdwt53.cu -o dwt2d
}

check_dwt2d() { # KIND
    local component
    host_c "$here/rodinia/dwt2d.c" -o reference -lm
    for component in r g b; do
        ./reference "$1" 64 3 "$component" <../../data/dwt2d/64.rgb >"reference.$component"
        agree <(od -An -v -tu1 "64.rgb.dwt.$component") "reference.$component" 0 "$([ "$1" = 53 ] && echo 0 || echo 1)"
    done
}

# The copies are the multipliers, the matrix and the right side after the elimination.
check_gaussian() {
    host_c "$here/rodinia/gaussian.c" -o reference -lm
    ./reference 48 matrix >reference.matrix
    ./reference 48 vector >reference.vector
    agree --float "$(copied 1)" reference.matrix 1e-3 1e-4
    agree --float "$(copied 2)" reference.vector 1e-3 1e-4
}

build_heartwall() {
    host_c -c -I AVI AVI/avilib.c AVI/avimod.c
    cc -O3 -DOUTPUT -I AVI main.cu avilib.o avimod.o -o heartwall
}

check_heartwall() {
    cd ../../openmp/heartwall
    host_c -DOUTPUT -I AVI -fopenmp main.c AVI/avilib.c AVI/avimod.c -o heartwall -lm
    ./heartwall ../../data/heartwall/video.avi 2 2 >reference.log
    agree ../../cuda/heartwall/result.txt result.txt
}

check_hotspot() {
    host_c -std=gnu11 "$here/rodinia/hotspot.c" -o reference
    ./reference 64 4 ../../data/hotspot/temperature ../../data/hotspot/power >reference.out
    agree output.out reference.out 1e-5
}

# The program compares its result with that of its own function for the processor.
check_hotspot3d() {
    local error
    error=$(sed -n 's/^Accuracy: //p' "$output")
    awk -v error="${error:-nan}" 'BEGIN { exit !(error >= 0 && error < 1e-3) }' || fails "Accuracy: ${error:-none}, limit 1e-3"
}

build_huffman() {
    cc -O3 -g -G main_test_cu.cu cpuencode.cpp stats_logger.cpp -o pavle
}

check_hybridsort() { prints PASSED; }
build_kmeans() { false; }

build_lavamd() {
    host_c -O3 -DOUTPUT -c main.c util/num/num.c util/timer/timer.c
    cc -O3 main.o num.o timer.o kernel/kernel_gpu_cuda_wrapper.cu util/device/device.cu -o lavaMD
}

check_lavamd() {
    cd ../../openmp/lavaMD
    host_c -O3 -DOUTPUT -fopenmp main.c kernel/kernel_cpu.c util/num/num.c util/timer/timer.c -o lavaMD -lm
    observed ./lavaMD -cores 2 -boxes1d 2 >reference.log
    agree ../../cuda/lavaMD/result.txt result.txt 1e-4 1e-3
}

build_leukocyte() { fails "not attempted"; }
check_leukocyte() { fails "not attempted"; }

build_lud() {
    cc -O3 -use_fast_math -I ../common lud.cu lud_kernel.cu ../common/common.c -o lud_cuda
}

build_mummergpu() { fails "not attempted"; }
check_mummergpu() { fails "not attempted"; }

build_myocyte() {
    rm -f output.txt
    [ -e myocyte.out ] || cc -O3 main.cu -o myocyte.out
}

# The program for OpenMP has the lines that print results as comments.
check_myocyte() { # INSTANCES MODE
    cd ../../openmp/myocyte
    sed '/print results/,/time4 =/ s,^\(\t*\)// ,\1,' main.c >reference.c
    host_c -fopenmp reference.c -o reference -lm
    ./reference 3 "$1" "$2" 2 >reference.log
    sed -n 's/.*=//p' ../../cuda/myocyte/output.txt >result.numbers
    sed -n 's/.*]=//p' reference.log >reference.numbers
    agree result.numbers reference.numbers 1e-3 1e-4
}

# The programs print the same records in other orders: records and distances, sorted.
check_nn() {
    local folder=$PWD
    cd ../../openmp/nn
    host_c -fopenmp nn_openmp.c -o nn -lm
    ./nn ../../data/nn/list 5 30 90 2>&1 >/dev/null | sed -n 's/ --> / /p' | sort >reference.txt
    sed -n 's/ --> Distance=/ /p' "$output" | sort >"$folder/result.txt"
    agree "$folder/result.txt" reference.txt 1e-5
}

check_nw() {
    cd ../../openmp/nw
    host_cxx -fopenmp needle.cpp -o needle
    ./needle 64 10 2 >reference.log
    agree ../../cuda/nw/result.txt result.txt
}

# The generators of random numbers rely on whole numbers that wrap around.
check_particlefilter() {
    cd ../../openmp/particlefilter
    host_c -fwrapv ex_particle_OPENMP_seq.c -fopenmp -o reference -lm
    observed ./reference -x 128 -y 128 -z 10 -np 500 >reference.log
    grep -E '^[XY]E' "$output" >result.txt
    grep -E '^[XY]E' reference.log | tail -n "$(wc -l <result.txt)" >reference.txt
    agree result.txt reference.txt 1e-4
}

check_pathfinder() {
    grep '^[0-9]' "$output" >result.txt
    cd ../../openmp/pathfinder
    host_cxx -fopenmp pathfinder.cpp -o pathfinder
    ./pathfinder 512 12 | grep '^[0-9]' >reference.txt
    agree ../../cuda/pathfinder/result.txt reference.txt
}

check_srad_v1() {
    cd ../../../openmp/srad/srad_v1
    host_c -fopenmp main.c -o srad -lm
    ./srad 2 0.5 64 64 2 >reference.log
    agree ../../../cuda/srad/srad_v1/image_out.pgm image_out.pgm 0 1
}

check_srad_v2() {
    sed -n '/^Printing Output/,/^Computation/p' "$output" | grep '^[0-9]' >result.txt
    cd ../../../openmp/srad/srad_v2
    host_cxx -DOUTPUT -fopenmp srad.cpp -o srad
    ./srad 64 64 0 31 0 31 2 0.5 2 | grep '^[0-9]' >reference.txt
    agree ../../../cuda/srad/srad_v2/result.txt reference.txt 1e-4
}

# With several threads, the results of the program for OpenMP vary.
check_streamcluster() {
    cd ../../openmp/streamcluster
    host_cxx -O3 -fopenmp streamcluster_omp.cpp -o sc_omp
    ./sc_omp 10 20 16 256 256 100 none output.txt 1 >reference.log 2>&1
    agree ../../cuda/streamcluster/output.txt output.txt 1e-4
}
