/* Formats of textures. */
#ifndef GPUVM_TEXTURES_H
#define GPUVM_TEXTURES_H

#include "driver.h"

/* Format of the channels, and their number; cudaErrorInvalidChannelDescriptor for combinations that textures do not have. */
cudaError_t gpuvm_read_format(const struct cudaChannelFormatDesc *described, CUarray_format *format, int *channels);

/* Number of bytes from an address to the end of its allocation, at most a limit. */
cudaError_t gpuvm_limit_bytes(const void *pointer, size_t *bytes);

#endif
