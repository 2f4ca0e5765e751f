/*
 * Vector types of CUDA C, and dim3. Members and alignments are those of the CUDA C++ programming guide: vectors of two and of four elements
 * have the alignment of their size, at most 16 bytes, and vectors of one and of three elements that of an element.
 */
#ifndef GPUVM_VECTOR_TYPES_H
#define GPUVM_VECTOR_TYPES_H

/* Programs test whether this header is included. */
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#define GPUVM_VECTORS(name, type, align2, align4) \
  struct name##1 { type x; }; \
  struct __align__(align2) name##2 { type x, y; }; \
  struct name##3 { type x, y, z; }; \
  struct __align__(align4) name##4 { type x, y, z, w; }; \
  typedef struct name##1 name##1; \
  typedef struct name##2 name##2; \
  typedef struct name##3 name##3; \
  typedef struct name##4 name##4;

GPUVM_VECTORS(char, signed char, 2, 4)
GPUVM_VECTORS(uchar, unsigned char, 2, 4)
GPUVM_VECTORS(short, short, 4, 8)
GPUVM_VECTORS(ushort, unsigned short, 4, 8)
GPUVM_VECTORS(int, int, 8, 16)
GPUVM_VECTORS(uint, unsigned int, 8, 16)
GPUVM_VECTORS(long, long, 16, 16)
GPUVM_VECTORS(ulong, unsigned long, 16, 16)
GPUVM_VECTORS(longlong, long long, 16, 16)
GPUVM_VECTORS(ulonglong, unsigned long long, 16, 16)
GPUVM_VECTORS(float, float, 8, 16)
GPUVM_VECTORS(double, double, 16, 16)

#undef GPUVM_VECTORS

#if defined(__cplusplus) && __cplusplus >= 201103L
#define GPUVM_CONSTEXPR constexpr
#else
#define GPUVM_CONSTEXPR
#endif

/* Size of a grid, in blocks, or of a block, in threads. */
struct dim3 {
  unsigned int x, y, z;
#if defined(__cplusplus)
  __host__ __device__ GPUVM_CONSTEXPR dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  __host__ __device__ GPUVM_CONSTEXPR dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#if __cplusplus >= 201103L
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#else
  __host__ __device__ operator uint3() const {
    uint3 v = {x, y, z};
    return v;
  }
#endif
#endif
};
typedef struct dim3 dim3;

#undef GPUVM_CONSTEXPR

#endif
