/* Fetches from texture objects of linear memory, by loads of the texel that the object's description locates. */
#ifndef GPUVM_TEXTURE_INDIRECT_FUNCTIONS_H
#define GPUVM_TEXTURE_INDIRECT_FUNCTIONS_H

#include "gpuvm_texel.h"

#if defined(__CUDA__)

/* Bits of a channel of a texel. */
__device__ __forceinline__ unsigned int gpuvm_load_channel(unsigned long long address, unsigned int bits) {
  if (bits == 8) return *(const unsigned char *)address;
  if (bits == 16) return *(const unsigned short *)address;
  return *(const unsigned int *)address;
}

/* Fraction for an integer of 8 or 16 bits. The product in double precision rounds to the same float as the quotient. */
__device__ __forceinline__ unsigned int gpuvm_fraction(int number, unsigned int bits, bool isSigned) {
  double unit = bits == 8 ? (isSigned ? 1.0 / 127 : 1.0 / 255) : (isSigned ? 1.0 / 32767 : 1.0 / 65535);
  return __float_as_uint(fmaxf((float)(number * unit), -1.0f));
}

/* Word for the bits of a channel, as the GPU's textures convert them. */
__device__ __forceinline__ unsigned int gpuvm_convert_channel(unsigned int stored, unsigned int format) {
  unsigned int bits = GPUVM_TEXTURE_BITS(format);
  unsigned int kind = GPUVM_TEXTURE_KIND(format);
  bool isNormalized = GPUVM_TEXTURE_IS_NORMALIZED(format);
  if (bits == 32) return stored;
  if (kind == cudaChannelFormatKindFloat) {
    float number;
    __asm__("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"((unsigned short)stored));
    return __float_as_uint(number);
  }
  bool isSigned = kind == cudaChannelFormatKindSigned;
  int number = isSigned ? (int)(stored << (32 - bits)) >> (32 - bits) : (int)stored;
  return isNormalized ? gpuvm_fraction(number, bits, isSigned) : (unsigned int)number;
}

/* Component of a texel: a channel; else 0, or 1 for the fourth component. */
__device__ __forceinline__ unsigned int gpuvm_component_of(const gpuvm_texture_object &object, unsigned int index, unsigned int component) {
  unsigned int channels = GPUVM_TEXTURE_CHANNELS(object.format);
  unsigned int bits = GPUVM_TEXTURE_BITS(object.format);
  if (component >= channels) {
    bool isFloat = GPUVM_TEXTURE_KIND(object.format) == cudaChannelFormatKindFloat || GPUVM_TEXTURE_IS_NORMALIZED(object.format);
    return component < 3 ? 0 : isFloat ? __float_as_uint(1.0f) : 1;
  }
  if (index >= object.texels) return 0;
  unsigned long long channel = (unsigned long long)index * channels + component;
  return gpuvm_convert_channel(gpuvm_load_channel(object.address + channel * (bits / 8), bits), object.format);
}

/* Texel of linear memory at an index; zeros outside the memory. */
template <class T> __device__ __forceinline__ T tex1Dfetch(cudaTextureObject_t texObject, int index) {
  typedef typename gpuvm_texel<T>::component Component;
  const unsigned int plain =
      GPUVM_TEXTURE_FORMAT(gpuvm_texel<T>::count, 8 * sizeof(Component), gpuvm_component<Component>::kind, 0);
  const gpuvm_texture_object object = *(const gpuvm_texture_object *)texObject;
  if (object.format == plain) {
    T texel;
    __builtin_memset(&texel, 0, sizeof texel);
    if ((unsigned int)index < object.texels) texel = ((const T *)object.address)[index];
    return texel;
  }
  unsigned int words[4] = {0, 0, 0, 0};
  for (unsigned int i = 0; i < gpuvm_texel<T>::count; i++) words[i] = gpuvm_component_of(object, (unsigned int)index, i);
  return gpuvm_texel_of<T>(make_uint4(words[0], words[1], words[2], words[3]));
}
template <class T> __device__ __forceinline__ void tex1Dfetch(T *result, cudaTextureObject_t texObject, int index) {
  *result = tex1Dfetch<T>(texObject, index);
}

#endif
#endif
