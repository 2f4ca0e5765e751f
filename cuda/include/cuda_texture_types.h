/* Texture references of CUDA C++: variables at file scope, which the host binds to memory and kernels read. */
#ifndef GPUVM_CUDA_TEXTURE_TYPES_H
#define GPUVM_CUDA_TEXTURE_TYPES_H

#include "channel_descriptor.h"
#include "texture_types.h"

#if defined(__CUDA__)

/* The attribute makes a texture of such a variable in code for the device. clang registers it for the runtime in code for the host. */
template <class T, int texType = cudaTextureType1D, enum cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int norm = 0, enum cudaTextureFilterMode fMode = cudaFilterModePoint, enum cudaTextureAddressMode aMode = cudaAddressModeClamp)
      : textureReference() {
    set(norm, fMode, aMode, cudaCreateChannelDesc<T>());
  }
  texture(int norm, enum cudaTextureFilterMode fMode, enum cudaTextureAddressMode aMode, struct cudaChannelFormatDesc desc)
      : textureReference() {
    set(norm, fMode, aMode, desc);
  }

private:
  void set(int norm, enum cudaTextureFilterMode fMode, enum cudaTextureAddressMode aMode, struct cudaChannelFormatDesc desc) {
    normalized = norm;
    filterMode = fMode;
    for (int i = 0; i < 3; i++) addressMode[i] = aMode;
    channelDesc = desc;
  }
};

#endif
#endif
