/*
 * Words of CUDA C: memory spaces, execution spaces and attributes. They have a meaning where clang compiles CUDA, and none in C and C++.
 */
#ifndef GPUVM_HOST_DEFINES_H
#define GPUVM_HOST_DEFINES_H

#define __align__(bytes) __attribute__((aligned(bytes)))
#define __forceinline__ __inline__ __attribute__((always_inline))
/* __noinline__ is a word of clang in CUDA. As a macro, it would break the C++ library's __attribute__((__noinline__)). */
#define __no_return__ __attribute__((noreturn))
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI

#if defined(__CUDA__)
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#endif

#define __device_builtin__
#define __cudart_builtin__
#define __builtin_align__(bytes) __align__(bytes)

/* Value of a parameter that a caller in C++ may leave out. */
#if defined(__cplusplus)
#define GPUVM_DEFAULT(value) = value
#define GPUVM_EXTERN_C_BEGIN extern "C" {
#define GPUVM_EXTERN_C_END }
#else
#define GPUVM_DEFAULT(value)
#define GPUVM_EXTERN_C_BEGIN
#define GPUVM_EXTERN_C_END
#endif

#endif
