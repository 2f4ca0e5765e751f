# Rodinia 3.1: github.com/yuhc/gpu-rodinia. The references are the archive's programs for OpenMP, the checks of the programs
# themselves, and small programs in ../rodinia where the archive has neither. Inputs are generated. Some programs show no results:
# their memory is observed when they copy it to the host.
# shellcheck shell=bash disable=SC2034,SC2154

goal=23
origin=rodinia
list=rodinia.list

prepare() {
    local name
    cp -r "$sources/cuda" "$sources/openmp" "$sources/common" .
    mkdir -p data/{b+tree,bfs,cfd,dwt2d,heartwall,hotspot,hotspot3D,huffman,hybridsort,kmeans,leukocyte,mummergpu,myocyte,nn,srad}
    data keys 4000 >data/b+tree/keys.txt
    printf 'j 200 100\nk 500\n' >data/b+tree/command.txt
    data graph 4096 >data/bfs/graph.txt
    data mesh 12 >data/cfd/mesh
    data bytes $((64 * 64 * 3)) >data/dwt2d/64.rgb
    data video 2 >data/heartwall/video.avi
    data grid 64 >data/hotspot/temperature
    data grid 64 | sed 's/^3../0/' >data/hotspot/power
    { data grid 64 && data grid 64 && data grid 64 && data grid 64; } >data/hotspot3D/temperature
    sed 's/^3../0/' data/hotspot3D/temperature >data/hotspot3D/power
    data text 65536 >data/huffman/text
    data floats 16384 >data/hybridsort/floats
    data points 1000 >data/kmeans/points
    data cells 2 >data/leukocyte/cells.avi
    data genome 2000 >data/mummergpu/genome.fna
    data reads 2000 >data/mummergpu/reads.fna
    for name in 0 1 2 3; do data storms $((100 + name)) >data/nn/storms$name.db; done
    printf '../../data/nn/storms%d.db\n' 0 1 2 3 >data/nn/list
    data image >data/srad/image.pgm
    myocyte_state >data/myocyte/y.txt
    # Calmodulin, buffers, CaMKII, calcineurin and PP1 in three compartments; the cycle, potassium and magnesium.
    printf '%s\n' 418 1857 120 3.6 96.5  5.65 24.2 0.1 0.003 0.57  5.65 24.2 0.1 0.003 0.57  1000 135 1 >data/myocyte/params.txt
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
backprop:forward|cuda/backprop|build_backprop|observed ./backprop 1024|check_backprop 1024 sums 0 1e-5
backprop:adjust|cuda/backprop|build_backprop|observed ./backprop 16|check_backprop 16 weights 2 3e-7
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
hybridsort|cuda/hybridsort|build_hybridsort|./hybridsort ../../data/hybridsort/floats|prints '^Checking result...PASSED'
kmeans|cuda/kmeans|build_kmeans|./kmeans -o -i ../../data/kmeans/points|check_kmeans
lavaMD|cuda/lavaMD|build_lavamd|observed ./lavaMD -boxes1d 2|check_lavamd
leukocyte|cuda/leukocyte/CUDA|build_leukocyte|./leukocyte ../../../data/leukocyte/cells.avi 1|check_leukocyte
lud|cuda/lud/cuda|build_lud|./lud_cuda -s 64 -v|prints '>>>Verify' && never dismatch
mummergpu|cuda/mummergpu/src|build_mummergpu|./mummergpu -l 12 ../../../data/mummergpu/genome.fna ../../../data/mummergpu/reads.fna|check_mummergpu
myocyte|cuda/myocyte|cc -O3 main.cu -o myocyte.out|observed ./myocyte.out 3 1 0|check_myocyte
nn|cuda/nn|cc nn_cuda.cu -o nn|./nn ../../data/nn/list -r 5 -lat 30 -lng 90|check_nn
nw|cuda/nw|cc -DTRACEBACK needle.cu -o needle|./needle 64 10|check_nw
particlefilter:naive|cuda/particlefilter|cc -O3 -use_fast_math -Xcompiler -fwrapv ex_particle_CUDA_naive_seq.cu -o naive|observed ./naive -x 128 -y 128 -z 10 -np 500|check_particlefilter 18
particlefilter:float|cuda/particlefilter|cc -O3 -use_fast_math -Xcompiler -fwrapv ex_particle_CUDA_float_seq.cu -o float|observed ./float -x 128 -y 128 -z 10 -np 500|check_particlefilter 2
pathfinder|cuda/pathfinder|cc -DBENCH_PRINT pathfinder.cu -o pathfinder|./pathfinder 512 12 4|check_pathfinder
srad:v1|cuda/srad/srad_v1|cc -O3 main.cu -o srad|./srad 2 0.5 64 64|check_srad_v1
srad:v2|cuda/srad/srad_v2|cc -DOUTPUT srad.cu -o srad|./srad 64 64 0 31 0 31 0.5 2|check_srad_v2
streamcluster|cuda/streamcluster|cc -O3 streamcluster_cuda_cpu.cpp streamcluster_cuda.cu streamcluster_header.cu -o sc_gpu|./sc_gpu 10 20 16 256 256 100 none output.txt 1|check_streamcluster
PROGRAMS
}

patches() {
    cat <<'PATCHES'
lud|cuda/lud/common/common.c|the comparison accepts results that are not numbers|s/if \( fabs\((.*)\) > 0\.0001\)/if (!(fabs(\1) <= 0.0001))/
kmeans|cuda/kmeans/kmeans_cuda.cu|symbols are no longer named by strings since CUDA 5.0|s/cudaMemcpyToSymbol\("c_clusters"/cudaMemcpyToSymbol(c_clusters/
myocyte|cuda/myocyte/kernel_cam.cu|the second block writes its flux of calcium to rates of the first block instead of the memory for fluxes|s/d_finavalu\[com_offset\] *=/d_com[com_offset] =/
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
    ./b+tree.out core 1 file ../../data/b+tree/keys.txt command ../../data/b+tree/command.txt >reference.log
    agree ../../cuda/b+tree/output.txt output.txt
}

build_backprop() {
    [ ! -e backprop ] || return 0
    host_c -c backprop.c facetrain.c imagenet.c
    cc -O2 backprop.o facetrain.o imagenet.o backprop_cuda.cu -o backprop
}

# The program prints no results: its copies are the sums of the blocks, the inputs and the weights of the hidden layer. With more than 16
# inputs, the network is saturated, and no weight changes in its first digits.
check_backprop() { # INPUTS WHAT COPY TOLERANCE
    cd ../../openmp/backprop
    host_c -fopenmp "$here/rodinia/backprop.c" backprop.c imagenet.c -I . -o reference -lm
    ./reference "$1" "$2" | sed '/^Random number generator seed/d' >reference.txt
    agree --float "$(copied "$3")" reference.txt "$4"
}

check_bfs() {
    cd ../../openmp/bfs
    host_cxx -fopenmp bfs.cpp -o bfs
    ./bfs 1 ../../data/bfs/graph.txt >reference.log
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
    ./heartwall ../../data/heartwall/video.avi 2 1 >reference.log
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

# The program includes headers for OpenGL, of which it uses nothing.
build_hybridsort() {
    mkdir -p GL
    : >GL/glew.h
    : >GL/glut.h
    : >cuda_gl_interop.h
    cc -DVERIFY -I . bucketsort.cu mergesort.cu main.cu -o hybridsort
}

# The source for the GPU includes OpenMP's header, of which it uses nothing, and clang has one only with its library for OpenMP.
build_kmeans() {
    host_c -fopenmp -c cluster.c getopt.c kmeans.c kmeans_clustering.c rmse.c
    mkdir -p openmp
    : >openmp/omp.h
    cc -O2 -I openmp cluster.o getopt.o kmeans.o kmeans_clustering.o rmse.o kmeans_cuda.cu -o kmeans -lgomp
}

# The serial program of the archive has the lines that print the centers as a comment.
check_kmeans() {
    sed -n 's/^[0-9]*: //p' "$output" >result.txt
    cd ../../openmp/kmeans/kmeans_serial
    sed -e 's,/\*printf("Cluster Centers,printf("Cluster Centers,' -e 's,}\*/,},' kmeans.c >reference.c
    host_c -fopenmp cluster.c getopt.c reference.c kmeans_clustering.c -o reference -lm
    ./reference -i ../../../data/kmeans/points | sed -n 's/^[0-9]*: //p' >reference.txt
    agree ../../../cuda/kmeans/result.txt reference.txt 0 0.006
}

build_lavamd() {
    host_c -O3 -DOUTPUT -c main.c util/num/num.c util/timer/timer.c
    cc -O3 main.o num.o timer.o kernel/kernel_gpu_cuda_wrapper.cu util/device/device.cu -o lavaMD
}

check_lavamd() {
    cd ../../openmp/lavaMD
    host_c -O3 -DOUTPUT -fopenmp main.c kernel/kernel_cpu.c util/num/num.c util/timer/timer.c -o lavaMD -lm
    observed ./lavaMD -cores 1 -boxes1d 2 >reference.log
    agree ../../cuda/lavaMD/result.txt result.txt 1e-4 1e-3
}

# The sources of Meschach without its programs.
meschach() { # FOLDER
    find "$1" -maxdepth 1 -name '*.c' ! -name '*tort*' ! -name 'tut*' ! -name '*macheps*' ! -name maxint.c ! -name extras.c
}

build_leukocyte() {
    # shellcheck disable=SC2046  # many files
    host_c -c -DOUTPUT -I ../meschach_lib avilib.c detect_main.c find_ellipse.c track_ellipse.c misc_math.c $(meschach ../meschach_lib)
    cc -O3 -I ../meschach_lib ./*.o find_ellipse_kernel.cu track_ellipse_kernel.cu -o leukocyte
}

# Positions in pixels, of 20 cells with a radius of 10. The program for OpenMP calculates in double precision.
check_leukocyte() {
    cd ../../../openmp/leukocyte/OpenMP
    rm -f ./*.o
    # shellcheck disable=SC2046  # many files
    host_c -DOUTPUT -fopenmp -I ../meschach_lib avilib.c detect_main.c find_ellipse.c track_ellipse.c misc_math.c \
        $(meschach ../meschach_lib) -o reference -lm
    ./reference 1 1 ../../../data/leukocyte/cells.avi >reference.log
    agree <(tr , ' ' <../../../cuda/leukocyte/CUDA/result.txt) <(tr , ' ' <result.txt) 0 0.5
}

build_lud() {
    cc -O3 -use_fast_math -I ../common lud.cu lud_kernel.cu ../common/common.c -o lud_cuda
}

# The configuration QT of the archive, whose textures have one dimension. A function of the host ends without its result, which only code
# without optimization survives.
build_mummergpu() {
    local options=(-I . -DUNIX -DQRYTEX=1 -DREFTEX=0 -DTREETEX=1 -DMERGETEX=0 -DREORDER_REF=0 -DREORDER_TREE=0 -DRENUMBER_TREE=0)
    host_cxx -O0 -fopenmp -include unistd.h "${options[@]}" -c mummergpu_main.cpp mummergpu_gold.cpp suffix-tree.cpp PoolMalloc.cpp
    cc -O3 "${options[@]}" ./*.o mummergpu.cu -o mummergpu -lgomp -lcuda
}

# The program itself finds the matches with the processor, too. Its log goes to the same output.
check_mummergpu() {
    on_gpu
    ./mummergpu -C -l 12 ../../../data/mummergpu/genome.fna ../../../data/mummergpu/reads.fna >reference.log 2>&1
    grep -E '^ *[0-9]+ +[0-9]+ +[0-9]+|^>' reference.log >reference.txt
    grep -E '^ *[0-9]+ +[0-9]+ +[0-9]+|^>' "$output" >result.txt || fails "no matches"
    agree result.txt reference.txt
}

# In C++, as in CUDA, functions of floats calculate with floats, which overflow earlier than in C.
check_myocyte() {
    host_cxx "$here/rodinia/myocyte.cc" -I ../../openmp/myocyte -o reference -lm
    verdict ./reference "$copies"
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
    ./needle 64 10 1 >reference.log
    agree ../../cuda/nw/result.txt result.txt
}

# The generators of random numbers rely on whole numbers that wrap around.
# Two coordinates for each frame behind the first: one program prints all frames, the other one the last.
check_particlefilter() { # LINES
    cd ../../openmp/particlefilter
    host_c -fwrapv ex_particle_OPENMP_seq.c -fopenmp -o reference -lm
    observed ./reference -x 128 -y 128 -z 10 -np 500 >reference.log
    grep -E '^[XY]E' "$output" >result.txt || fails "no positions"
    [ "$(wc -l <result.txt)" -eq "$1" ] || fails "lines of positions: $(wc -l <result.txt), expected $1"
    grep -E '^[XY]E' reference.log | tail -n "$1" >reference.txt
    agree result.txt reference.txt 1e-4
}

check_pathfinder() {
    grep '^[0-9]' "$output" >result.txt || fails "no costs"
    cd ../../openmp/pathfinder
    host_cxx -fopenmp pathfinder.cpp -o pathfinder
    ./pathfinder 512 12 | grep '^[0-9]' >reference.txt
    agree ../../cuda/pathfinder/result.txt reference.txt
}

check_srad_v1() {
    cd ../../../openmp/srad/srad_v1
    host_c -fopenmp main.c -o srad -lm
    ./srad 2 0.5 64 64 1 >reference.log
    agree ../../../cuda/srad/srad_v1/image_out.pgm image_out.pgm 0 1
}

check_srad_v2() {
    sed -n '/^Printing Output/,/^Computation/p' "$output" | grep '^[0-9]' >result.txt || fails "no image"
    cd ../../../openmp/srad/srad_v2
    host_cxx -DOUTPUT -fopenmp srad.cpp -o srad
    ./srad 64 64 0 31 0 31 1 0.5 2 | grep '^[0-9]' >reference.txt
    agree ../../../cuda/srad/srad_v2/result.txt reference.txt 1e-4
}

check_streamcluster() {
    cd ../../openmp/streamcluster
    host_cxx -O3 -fopenmp streamcluster_omp.cpp -o sc_omp
    ./sc_omp 10 20 16 256 256 100 none output.txt 1 >reference.log 2>&1
    agree ../../cuda/streamcluster/output.txt output.txt 1e-4
}
