/* Functions of the CUDA runtime API that make structures for 2D and 3D memory of their members. */
#ifndef GPUVM_DRIVER_FUNCTIONS_H
#define GPUVM_DRIVER_FUNCTIONS_H

#include "driver_types.h"

static __inline__ __host__ struct cudaPitchedPtr make_cudaPitchedPtr(void *ptr, size_t pitch, size_t xsize, size_t ysize) {
  struct cudaPitchedPtr pointer = {ptr, pitch, xsize, ysize};
  return pointer;
}

static __inline__ __host__ struct cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  struct cudaPos position = {x, y, z};
  return position;
}

static __inline__ __host__ struct cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  struct cudaExtent extent = {width, height, depth};
  return extent;
}

#endif
