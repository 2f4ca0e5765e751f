#define _GNU_SOURCE

#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#include "level.h"

#define LIBRARY "libcuda.so.1"

struct gpuvm_driver gpuvm_driver;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static cudaError_t opened;

/* Finds all functions. The driver library stays loaded, because destructors of the program may still use it. */
static bool load(void)
{
    void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_NODELETE);
    if (library == NULL)
        return false;
    const struct {
        const char *name;
        void **place;
    } functions[] = {
#define FUNCTION(function) {#function, (void **)&gpuvm_driver.function},
#define TWIN(function) {#function "_ptds", (void **)&gpuvm_driver.function##_ptds},
        GPUVM_DRIVER_FUNCTIONS(FUNCTION)
        GPUVM_DRIVER_TWINS(TWIN)
#undef FUNCTION
#undef TWIN
    };
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        *functions[i].place = dlsym(library, functions[i].name);
        if (*functions[i].place == NULL)
            return false;
    }
    return true;
}

/* A driver serves runtimes of its own major version and of older ones. */
static cudaError_t check_version(void)
{
    int version;
    cudaError_t outcome = DRIVER(cuDriverGetVersion, &version);
    if (outcome != cudaSuccess)
        return outcome;
    return version / 1000 >= gpuvm_level / 1000 ? cudaSuccess : cudaErrorInsufficientDriver;
}

static void open_driver(void)
{
    opened = load() ? check_version() : cudaErrorInsufficientDriver;
    if (opened == cudaSuccess)
        opened = DRIVER(cuInit, 0);
}

cudaError_t gpuvm_runtime_enter_driver(void)
{
    pthread_once(&once, open_driver);
    return opened;
}

cudaError_t gpuvm_runtime_DriverGetVersion(int *version)
{
    *version = 0;
    pthread_once(&once, open_driver);
    return gpuvm_driver.cuDriverGetVersion != NULL ? DRIVER(cuDriverGetVersion, version) : cudaSuccess;
}

cudaError_t gpuvm_runtime_RuntimeGetVersion(int *version)
{
    *version = gpuvm_level;
    return cudaSuccess;
}

/* The driver function for the default stream that the caller's name of the function stands for. */
cudaError_t gpuvm_runtime_GetDriverEntryPoint(
    const char *symbol, void **function, unsigned long long flags, enum cudaDriverEntryPointQueryResult *result, cudaStream_t defaultStream)
{
    CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SUCCESS;
    if (flags == cudaEnableDefault && defaultStream == cudaStreamPerThread)
        flags = cudaEnablePerThreadDefaultStream;
    cudaError_t outcome = DRIVER(cuGetProcAddress_v2, symbol, function, gpuvm_level, flags, &found);
    if (result != NULL)
        *result = (enum cudaDriverEntryPointQueryResult)found;
    /* A name that does not exist is an answer for callers that ask for it. */
    return result != NULL && outcome == cudaErrorSymbolNotFound ? cudaSuccess : outcome;
}
