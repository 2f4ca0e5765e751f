/*
 * Fetches from texture references. The GPU's instruction contains the number of the texture: the PTX compiler resolves the handle, which is
 * known where the function is inlined into a kernel.
 */
#ifndef GPUVM_TEXTURE_FETCH_FUNCTIONS_H
#define GPUVM_TEXTURE_FETCH_FUNCTIONS_H

#include "gpuvm_texel.h"

#if defined(__CUDA__)

/* Fetches by the type of a component. */
template <class Component> struct gpuvm_tex1d {
  static __device__ __forceinline__ uint4 fetch(unsigned long long handle, int index) {
    uint4 words;
    if (gpuvm_component<Component>::isSigned)
      __asm__("tex.1d.v4.s32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
              : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
              : "l"(handle), "r"(index));
    else
      __asm__("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
              : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
              : "l"(handle), "r"(index));
    return words;
  }
};
template <> struct gpuvm_tex1d<float> {
  static __device__ __forceinline__ uint4 fetch(unsigned long long handle, int index) {
    float x, y, z, w;
    __asm__("tex.1d.v4.f32.s32 {%0, %1, %2, %3}, [%4, {%5}];" : "=f"(x), "=f"(y), "=f"(z), "=f"(w) : "l"(handle), "r"(index));
    return make_uint4(__float_as_uint(x), __float_as_uint(y), __float_as_uint(z), __float_as_uint(w));
  }
};

/* Texel of linear memory at an index; zeros outside the memory. */
template <class T, enum cudaTextureReadMode mode>
__device__ __forceinline__ typename gpuvm_fetched<T, mode>::type tex1Dfetch(texture<T, cudaTextureType1D, mode> reference, int index) {
  typedef typename gpuvm_fetched<T, mode>::type Fetched;
  unsigned long long handle;
  __asm__("mov.b64 %0, %1;" : "=l"(handle) : "l"(reference));
  return gpuvm_texel_of<Fetched>(gpuvm_tex1d<typename gpuvm_texel<Fetched>::component>::fetch(handle, index));
}

/* A call is an error of the compilation. */
#define GPUVM_NO_ARRAYS __attribute__((error("textures of arrays, and those of several dimensions, are not supported")))
template <class T, enum cudaTextureReadMode mode>
__device__ typename gpuvm_fetched<T, mode>::type tex1D(texture<T, cudaTextureType1D, mode> reference, float x) GPUVM_NO_ARRAYS;
template <class T, enum cudaTextureReadMode mode>
__device__ typename gpuvm_fetched<T, mode>::type tex2D(texture<T, cudaTextureType2D, mode> reference, float x, float y) GPUVM_NO_ARRAYS;
template <class T, enum cudaTextureReadMode mode>
__device__ typename gpuvm_fetched<T, mode>::type tex3D(texture<T, cudaTextureType3D, mode> reference, float x, float y, float z)
    GPUVM_NO_ARRAYS;
template <class T> __device__ T tex1D(cudaTextureObject_t object, float x) GPUVM_NO_ARRAYS;
template <class T> __device__ T tex2D(cudaTextureObject_t object, float x, float y) GPUVM_NO_ARRAYS;
template <class T> __device__ T tex3D(cudaTextureObject_t object, float x, float y, float z) GPUVM_NO_ARRAYS;
#undef GPUVM_NO_ARRAYS

#endif
#endif
