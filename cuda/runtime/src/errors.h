/* Errors: numbers, names, texts, and the last error of each thread. */
#ifndef GPUVM_ERRORS_H
#define GPUVM_ERRORS_H

#include "stubs.h"

/* Row of the generated table. */
struct gpuvm_error {
    int value;     /* since CUDA 10.1, in ascending order; the library's sources use these */
    int old_value; /* until CUDA 10.0; negative if the error did not exist */
    const char *name;
    const char *text;
};

extern const struct gpuvm_error gpuvm_errors[];
extern const size_t gpuvm_error_count;

/* Number of an error in the library's version of CUDA. Errors that the version does not have are cudaErrorUnknown. */
cudaError_t gpuvm_error_number(cudaError_t error);

#endif
