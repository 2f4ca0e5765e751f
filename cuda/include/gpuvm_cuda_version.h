/* Version of CUDA that the headers declare, 1000 * major + 10 * minor. clang's own headers for CUDA look at it, too. */
#ifndef GPUVM_CUDA_VERSION_H
#define GPUVM_CUDA_VERSION_H

#include <stdint.h>

#define CUDA_VERSION 12040

/* Integers of the driver API, which clang's headers expect, too. */
typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
#endif
