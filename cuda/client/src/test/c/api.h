/*
 * Environment of tests of the driver API. The tests run with libcuda.so.1 on a backend, and with the model of the transport (model.h),
 * which runs no kernels. On a backend, the environment variable GPUVM_TEST_CUBIN names the cubin that was assembled from api.sass.
 */
#ifndef API_H
#define API_H

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "checks.h"
#include "gpuvm_cuda_api.h"

#define CHECK_STATUS(expected, call) CHECK_EQUAL(CUDA_ERROR_##expected, call)

/* Kernels of api.sass, in its order. */
enum api_kernel {
    KERNEL_NUMBER,   /* number(out, added): out[i] = i + added */
    KERNEL_ADD,      /* add(out, added): out[i] += added */
    KERNEL_SPIN,     /* spin(flag): waits until *flag is not 0 */
    KERNEL_PACK,     /* pack(out, byte, half, word, pair): writes the words of its parameters to out */
    KERNEL_SHARED,   /* shared(out): 1024 bytes of shared memory, and dynamic shared memory; out[block] = number of threads */
    KERNEL_SHAPE,    /* shape(out): writes sizes of grid and block, from the last thread */
    KERNEL_POKE,     /* poke(where): stores a word */
    KERNEL_TEXEL,    /* texel(out): out[i] = texel i of the texture "texture" */
    KERNEL_SCALE,    /* scale(out): out[i] = i * the constant variable "factor" */
    API_KERNELS
};

/* Whether kernels run. */
extern const bool is_real;

/* Image of the module, which the test must not change. */
const void *api_image(size_t *bytes);

/* Initializes the driver, and makes a new context current. */
CUcontext open_context(void);

/* Destroys a context, and checks that nothing is left. */
void close_context(CUcontext context);

/* Checks the model's rules; without a model, nothing. */
void check_rules(void);

/* Fills bytes with numbers that depend on a seed. */
void fill_pattern(void *bytes, size_t count, unsigned int seed);

/* Checks that bytes have the pattern. */
void check_pattern(const void *bytes, size_t count, unsigned int seed);

/* Runs a function in a new thread, and waits for its end. */
void run_in_thread(void *(*run)(void *), void *data);

#endif
