/* Descriptions of the elements of textures and arrays for types of C++: cudaCreateChannelDesc<float4>(). */
#ifndef GPUVM_CHANNEL_DESCRIPTOR_H
#define GPUVM_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#if defined(__cplusplus)

template <class T> static inline cudaChannelFormatDesc cudaCreateChannelDesc(void) {
  return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define GPUVM_CHANNELS(type, x, y, z, w, kind) \
  template <> inline cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) { \
    cudaChannelFormatDesc desc = {x, y, z, w, cudaChannelFormatKind##kind}; \
    return desc; \
  }
#define GPUVM_VECTOR_CHANNELS(name, bits, kind) \
  GPUVM_CHANNELS(name##1, bits, 0, 0, 0, kind) \
  GPUVM_CHANNELS(name##2, bits, bits, 0, 0, kind) \
  GPUVM_CHANNELS(name##4, bits, bits, bits, bits, kind)
GPUVM_CHANNELS(char, 8, 0, 0, 0, Signed)
GPUVM_CHANNELS(signed char, 8, 0, 0, 0, Signed)
GPUVM_CHANNELS(unsigned char, 8, 0, 0, 0, Unsigned)
GPUVM_CHANNELS(short, 16, 0, 0, 0, Signed)
GPUVM_CHANNELS(unsigned short, 16, 0, 0, 0, Unsigned)
GPUVM_CHANNELS(int, 32, 0, 0, 0, Signed)
GPUVM_CHANNELS(unsigned int, 32, 0, 0, 0, Unsigned)
GPUVM_CHANNELS(float, 32, 0, 0, 0, Float)
GPUVM_VECTOR_CHANNELS(char, 8, Signed)
GPUVM_VECTOR_CHANNELS(uchar, 8, Unsigned)
GPUVM_VECTOR_CHANNELS(short, 16, Signed)
GPUVM_VECTOR_CHANNELS(ushort, 16, Unsigned)
GPUVM_VECTOR_CHANNELS(int, 32, Signed)
GPUVM_VECTOR_CHANNELS(uint, 32, Unsigned)
GPUVM_VECTOR_CHANNELS(float, 32, Float)
#undef GPUVM_CHANNELS
#undef GPUVM_VECTOR_CHANNELS

#endif
#endif
