/*
 * Storage of a context: values of CUDA's runtimes by key, with destructors that run when the context ends. Any thread.
 */
#ifndef GPUVM_STORAGE_H
#define GPUVM_STORAGE_H

#include <pthread.h>
#include <stddef.h>

#include "gpuvm_cuda_types.h"

typedef void (*gpuvm_storage_destructor)(CUcontext context, void *key, void *value);

struct gpuvm_stored {
    void *key;
    void *value;
    gpuvm_storage_destructor destructor; /* may be null */
};

struct gpuvm_storage {
    pthread_mutex_t lock;
    struct gpuvm_stored *entries;
    size_t count;
    size_t capacity;
};

void gpuvm_storage_open(struct gpuvm_storage *storage);

/* Stores a value, also in place of the key's value. CUDA_ERROR_OUT_OF_MEMORY without memory. */
CUresult gpuvm_storage_put(struct gpuvm_storage *storage, const struct gpuvm_stored *entry);

/* Finds the value of a key; CUDA_ERROR_INVALID_HANDLE without one. */
CUresult gpuvm_storage_get(struct gpuvm_storage *storage, void *key, void **value);

/* Removes the value of a key without running its destructor; CUDA_ERROR_INVALID_HANDLE without one. */
CUresult gpuvm_storage_remove(struct gpuvm_storage *storage, void *key);

/* Removes all values and runs their destructors, without the lock. */
void gpuvm_storage_clear(struct gpuvm_storage *storage, CUcontext context);

#endif
