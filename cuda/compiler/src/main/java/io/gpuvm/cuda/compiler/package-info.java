/// Compiler driver for CUDA C++: options with the names of NVIDIA's `nvcc`, and the steps from
/// sources to a program. clang compiles the code for the host, and the code for the GPU to PTX;
/// this project's PTX compiler and linker make machine code of it.
package io.gpuvm.cuda.compiler;
