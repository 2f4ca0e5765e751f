/// Tests of the compiler with PTX that clang generates from random kernels in C.
package io.gpuvm.ptx.clang;
