/*
 * Environment of tests of the runtime API on a backend with a software GPU. The environment variable GPUVM_TEST_CUBIN names the cubin that was
 * assembled from api.sass of the driver library's tests.
 */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stdbool.h>
#include <string.h>

#include "checks.h"
#include "cuda_runtime_api.h"

/* Name without version, which the header replaces: for the structure of CUDA 11 and earlier. */
#undef cudaGetDeviceProperties

#define CHECK_DONE(call) CHECK_EQUAL(cudaSuccess, call)

/* Registration, as compilers generate it. */
void **__cudaRegisterFatBinary(void *wrapper);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threadLimit, uint3 *thread, uint3 *block,
    dim3 *blockShape, dim3 *gridShape, int *warpSize);
void __cudaRegisterVar(
    void **handle, char *host, char *device, const char *name, int isExternal, size_t bytes, int isConstant, int isGlobal);

/* Wrapper of a fatbin in a program. */
struct wrapper {
    unsigned int magic;
    unsigned int version;
    const void *fatbin;
    void *unused;
};

#define WRAPPER(content) {0x466243b1u, 1, content, NULL}

/* Host functions of kernels, of which only the address matters: api.sass has the first five, kernels.h the others. */
extern char number, add, poke, texel, scale;
extern char twice, fail, hello, check;

/* Shadow of the variable of the PTX module. */
extern unsigned int counters[16];

/* Cubin of api.sass. */
const void *test_cubin(void);

/* Registers the cubin, and a fatbin with PTX, until the end of the process. */
void register_modules(void);

/* Fatbin with PTX, in the form that compilers generate. */
const void *test_fatbin(void);

/* Launches a kernel with one block and two parameters. */
cudaError_t launch(const void *kernel, unsigned int threads, void *first, unsigned int second);

/* Checks that words of the device are first, first + step, ... */
void check_words(const void *device, unsigned int count, unsigned int first, unsigned int step);

#endif
