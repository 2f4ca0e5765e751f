/*
 * All of CUDA C++ for clang: `clang -x cuda -nocudainc -nocudalib -include gpuvm_cuda.h`, before any other header, in the passes for the host
 * and for the device. The folder of this file is not in front of clang's own `cuda_wrappers`, so that it is found by `-isystem`.
 *
 * clang brings headers with the wrappers of CUDA's functions for the device (__clang_cuda_*.h), which call NVIDIA's libdevice by the names
 * __nv_*. gpuvm_libdevice.h and gpuvm_math.h define these functions.
 */
#ifndef GPUVM_CUDA_H
#define GPUVM_CUDA_H

#if defined(__CUDA__)

#if !defined(__clang__) || __clang_major__ < 16
#error "The CUDA headers of gpuvm need clang 16 or later."
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 200
#error "The CUDA headers of gpuvm need sm_20 or later."
#endif

#include "gpuvm_cuda_version.h"

/* Functions for the device that C++'s headers overload must be declared before these headers. */
#include <__clang_cuda_math_forward_declares.h>

/* C++'s headers leave out __float128 if they find this macro. */
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 0

#include <climits>
#include <cmath>
#include <cstdlib>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "host_defines.h"
#include "cuda_runtime_api.h"
#include "vector_functions.h"

/* The pass for the host checks code for the device, too: it declares the functions of all GPUs that this PTX compiler accepts. */
#if !defined(__CUDA_ARCH__)
#define GPUVM_HOST_PASS
#define __CUDA_ARCH__ 370
#endif

/* Instructions of these functions, which are inlined, have the lines of their callers, so that a fault names a line of the program. */
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

#include <__clang_cuda_builtin_vars.h>
#include "gpuvm_missing.h"
#include <__clang_cuda_libdevice_declares.h>

/* LLVM generates votes for sm_30 and later alone: gpuvm_device.h has those for all GPUs. */
#define __all gpuvm_unused_all
#define __any gpuvm_unused_any
#define __ballot gpuvm_unused_ballot
#include <__clang_cuda_device_functions.h>
#undef __all
#undef __any
#undef __ballot
#include <__clang_cuda_math.h>

#include "gpuvm_device.h"
/* new and delete for the device, of clang, call malloc and free. */
#include <new>

inline __device__ __cuda_builtin_threadIdx_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_threadIdx_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_blockIdx_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_blockIdx_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_blockDim_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_blockDim_t::operator dim3() const { return dim3(x, y, z); }
inline __device__ __cuda_builtin_gridDim_t::operator uint3() const { return uint3{x, y, z}; }
inline __device__ __cuda_builtin_gridDim_t::operator dim3() const { return dim3(x, y, z); }

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_intrinsics.h>
#include <__clang_cuda_complex_builtins.h>

#include "gpuvm_overloads.h"
#include "texture_fetch_functions.h"
#include "texture_indirect_functions.h"

#if defined(GPUVM_HOST_PASS)
#undef __CUDA_ARCH__
/*
 * The pass for the host checks kernels that use the architecture as a value. A constant, not a macro: for the preprocessor, the name is not
 * defined, as in nvcc.
 */
static constexpr int __CUDA_ARCH__ = 370;
#else
#include "gpuvm_libdevice.h"
#include "gpuvm_math.h"
#endif

#pragma clang attribute pop

#include "cuda_runtime.h"

#endif
#endif
