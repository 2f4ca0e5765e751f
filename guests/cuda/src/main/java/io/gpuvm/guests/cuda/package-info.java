/// CUDA programs that use `libcuda.so.1` of this project: their start, and runs of programs and
/// libraries that are not part of this project.
package io.gpuvm.guests.cuda;
