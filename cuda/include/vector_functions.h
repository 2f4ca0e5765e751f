/* Functions make_TYPEn of CUDA C, which make vectors of their elements. */
#ifndef GPUVM_VECTOR_FUNCTIONS_H
#define GPUVM_VECTOR_FUNCTIONS_H

#include "vector_types.h"

#define GPUVM_MAKE_VECTORS(name, type) \
  static __inline__ __host__ __device__ name##1 make_##name##1(type x) { name##1 v = {x}; return v; } \
  static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y) { name##2 v = {x, y}; return v; } \
  static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z) { name##3 v = {x, y, z}; return v; } \
  static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) { name##4 v = {x, y, z, w}; return v; }

GPUVM_MAKE_VECTORS(char, signed char)
GPUVM_MAKE_VECTORS(uchar, unsigned char)
GPUVM_MAKE_VECTORS(short, short)
GPUVM_MAKE_VECTORS(ushort, unsigned short)
GPUVM_MAKE_VECTORS(int, int)
GPUVM_MAKE_VECTORS(uint, unsigned int)
GPUVM_MAKE_VECTORS(long, long)
GPUVM_MAKE_VECTORS(ulong, unsigned long)
GPUVM_MAKE_VECTORS(longlong, long long)
GPUVM_MAKE_VECTORS(ulonglong, unsigned long long)
GPUVM_MAKE_VECTORS(float, float)
GPUVM_MAKE_VECTORS(double, double)

#undef GPUVM_MAKE_VECTORS

#endif
