/*
 * Texture objects of linear memory. A cudaTextureObject_t is the address, in memory of the device, of a description that fetches read: the
 * textures of sm_20 have slots, which a launch binds.
 */
#ifndef GPUVM_TEXTURE_OBJECT_H
#define GPUVM_TEXTURE_OBJECT_H

#include "host_defines.h"

/* Format of texels: number of channels, bits of a channel, cudaChannelFormatKind, and whether fetches return integers as fractions. */
#define GPUVM_TEXTURE_FORMAT(channels, bits, kind, isNormalized) \
  ((unsigned int)(channels) | (unsigned int)(bits) << 8 | (unsigned int)(kind) << 16 | (unsigned int)(isNormalized) << 24)
#define GPUVM_TEXTURE_CHANNELS(format) ((format) & 0xffu)
#define GPUVM_TEXTURE_BITS(format) ((format) >> 8 & 0xffu)
#define GPUVM_TEXTURE_KIND(format) ((format) >> 16 & 0xffu)
#define GPUVM_TEXTURE_IS_NORMALIZED(format) ((format) >> 24 != 0)

struct __align__(16) gpuvm_texture_object {
  unsigned long long address; /* of the first texel */
  unsigned int texels;        /* the following ones read as zeros */
  unsigned int format;
};

#endif
