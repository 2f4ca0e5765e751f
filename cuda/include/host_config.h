/* Compilers of the host that the headers support. */
#ifndef GPUVM_HOST_CONFIG_H
#define GPUVM_HOST_CONFIG_H
#if !defined(__GNUC__) || !defined(__x86_64__)
#error "The CUDA headers of gpuvm support gcc and clang on x86-64."
#endif
#endif
