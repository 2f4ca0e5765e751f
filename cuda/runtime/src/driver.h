/*
 * The driver library, libcuda.so.1. It is opened at the first call that needs it, so that programs start without one and learn from the
 * call's error that there is no driver.
 */
#ifndef GPUVM_DRIVER_H
#define GPUVM_DRIVER_H

#include "cuda.h"
#include "driver_functions.h"
#include "stubs.h"

struct gpuvm_driver {
#define GPUVM_DRIVER_FIELD(name) __typeof__(name) *name;
#define GPUVM_DRIVER_TWIN_FIELD(name) __typeof__(name) *name##_ptds;
    GPUVM_DRIVER_FUNCTIONS(GPUVM_DRIVER_FIELD)
    GPUVM_DRIVER_TWINS(GPUVM_DRIVER_TWIN_FIELD)
#undef GPUVM_DRIVER_FIELD
#undef GPUVM_DRIVER_TWIN_FIELD
};

/* The functions, after gpuvm_runtime_enter_driver has succeeded. */
extern struct gpuvm_driver gpuvm_driver;

/* Error of the runtime API for a status of the driver: since CUDA 10.1, the numbers are the same. */
static inline cudaError_t gpuvm_error_of(CUresult status)
{
    return (cudaError_t)status;
}

/* Calls a function of the driver; the value is an error of the runtime API. */
#define DRIVER(name, ...) gpuvm_error_of(gpuvm_driver.name(__VA_ARGS__))

/* Address of memory of the device. Handles of streams, events and functions have the same types in both APIs. */
#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

#endif
