/* Images of modules, whose length the driver API leaves to the image itself. */
#ifndef GPUVM_IMAGE_H
#define GPUVM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "gpuvm_cuda_types.h"

/* Greatest length of an image that the backend accepts. */
#define GPUVM_IMAGE_MAX_BYTES ((size_t)64 << 20)

struct gpuvm_image {
    const unsigned char *bytes;
    size_t length;
    bool is_ptx; /* whether the image is text for the compiler; without its terminating zero */
};

/*
 * Finds the bytes of a cubin, a fatbin, a fatbin in nvcc's wrapper, or PTX, which ends with a zero. CUDA_ERROR_INVALID_IMAGE for other
 * formats, and for images beyond the limit.
 */
CUresult gpuvm_image_find(const void *start, struct gpuvm_image *image);

/*
 * Copies an image of a known length, which must be complete, into memory that the caller frees. PTX need not end with a zero.
 * CUDA_ERROR_INVALID_IMAGE for other formats, and for images beyond the limit.
 */
CUresult gpuvm_image_copy(const void *start, size_t length, void **memory, struct gpuvm_image *image);

/*
 * Reads a file with an image, which must be complete, into memory that the caller frees. CUDA_ERROR_FILE_NOT_FOUND if it cannot be
 * read.
 */
CUresult gpuvm_image_read(const char *file, void **memory, struct gpuvm_image *image);

#endif
