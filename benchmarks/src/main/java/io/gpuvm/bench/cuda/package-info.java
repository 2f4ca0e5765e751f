/// Comparison of CUDA programs in C, through `libcuda.so.1`, with programs in Java.
package io.gpuvm.bench.cuda;
