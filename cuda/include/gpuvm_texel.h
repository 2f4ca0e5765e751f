/* Texels: types of C++ for one, two or four components, and their values in registers. */
#ifndef GPUVM_TEXEL_H
#define GPUVM_TEXEL_H

#include "cuda_texture_types.h"
#include "gpuvm_texture_object.h"

#if defined(__CUDA__)

/* Numbers in registers. A fetch returns a word for each component: a float, or an integer that is extended to 32 bits. */
template <class Component> struct gpuvm_component {
  enum { isSigned = (Component)-1 < (Component)0, kind = isSigned ? cudaChannelFormatKindSigned : cudaChannelFormatKindUnsigned };
  static __device__ __forceinline__ Component of(unsigned int word) { return (Component)word; }
};
template <> struct gpuvm_component<float> {
  enum { kind = cudaChannelFormatKindFloat };
  static __device__ __forceinline__ float of(unsigned int word) { return __uint_as_float(word); }
};

/* Vectors have a member x; the others are single components. */
template <class T> struct gpuvm_texel {
  typedef decltype(T::x) component;
  enum { count = sizeof(T) / sizeof(component), isVector = 1 };
  static_assert(count != 3, "texels have one, two or four components");
};
#define GPUVM_SCALAR_TEXEL(type) \
  template <> struct gpuvm_texel<type> { \
    typedef type component; \
    enum { count = 1, isVector = 0 }; \
  };
GPUVM_SCALAR_TEXEL(char)
GPUVM_SCALAR_TEXEL(signed char)
GPUVM_SCALAR_TEXEL(unsigned char)
GPUVM_SCALAR_TEXEL(short)
GPUVM_SCALAR_TEXEL(unsigned short)
GPUVM_SCALAR_TEXEL(int)
GPUVM_SCALAR_TEXEL(unsigned int)
GPUVM_SCALAR_TEXEL(float)
#undef GPUVM_SCALAR_TEXEL

template <class T> __device__ __forceinline__ T gpuvm_texel_of(uint4 words) {
  typedef typename gpuvm_texel<T>::component Component;
  const unsigned int all[4] = {words.x, words.y, words.z, words.w};
  Component components[gpuvm_texel<T>::count];
  for (int i = 0; i < gpuvm_texel<T>::count; i++) components[i] = gpuvm_component<Component>::of(all[i]);
  T texel;
  __builtin_memcpy(&texel, components, sizeof texel);
  return texel;
}

/* Type of a fetch: the texel's, or floats for integers that are read as fractions. */
template <int count, int isVector> struct gpuvm_floats;
template <> struct gpuvm_floats<1, 0> {
  typedef float type;
};
template <> struct gpuvm_floats<1, 1> {
  typedef float1 type;
};
template <> struct gpuvm_floats<2, 1> {
  typedef float2 type;
};
template <> struct gpuvm_floats<4, 1> {
  typedef float4 type;
};
template <class T, enum cudaTextureReadMode mode> struct gpuvm_fetched {
  typedef T type;
};
template <class T> struct gpuvm_fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename gpuvm_floats<gpuvm_texel<T>::count, gpuvm_texel<T>::isVector>::type type;
};

#endif
#endif
