/* Attributes of kernels, and occupancy. */
#include <string.h>

#include "driver.h"
#include "gpuvm_runtime_api.h"
#include "images.h"
#include "level.h"

/* Attributes of CUDA (CUfunction_attribute). */
enum {
    FUNCTION_MAX_THREADS = 0,
    FUNCTION_SHARED_BYTES = 1,
    FUNCTION_CONST_BYTES = 2,
    FUNCTION_LOCAL_BYTES = 3,
    FUNCTION_REGISTERS = 4,
    FUNCTION_PTX_VERSION = 5,
    FUNCTION_BINARY_VERSION = 6,
    FUNCTION_CACHE_MODE_CA = 7,
    FUNCTION_MAX_DYNAMIC_SHARED_BYTES = 8,
    FUNCTION_SHARED_CARVEOUT = 9,
    FUNCTION_CLUSTER_MUST_BE_SET = 10,
    FUNCTION_CLUSTER_WIDTH = 11,
    FUNCTION_CLUSTER_HEIGHT = 12,
    FUNCTION_CLUSTER_DEPTH = 13,
    FUNCTION_NON_PORTABLE_CLUSTER = 14,
    FUNCTION_CLUSTER_POLICY = 15
};

/* Value of an attribute, or 0 if the driver does not know it. */
static int attribute(CUfunction function, CUfunction_attribute wanted)
{
    int value;
    return gpuvm_driver.cuFuncGetAttribute(&value, wanted, function) == CUDA_SUCCESS ? value : 0;
}

/* Length of the structure in the library's version of CUDA, without padding. */
static size_t attributes_bytes(void)
{
    if (gpuvm_level < LEVEL_SHARED_CARVEOUT)
        return offsetof(struct cudaFuncAttributes, maxDynamicSharedSizeBytes);
    if (gpuvm_level < LEVEL_CLUSTERS)
        return offsetof(struct cudaFuncAttributes, clusterDimMustBeSet);
    return sizeof(struct cudaFuncAttributes);
}

cudaError_t gpuvm_runtime_FuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    if (outcome != cudaSuccess)
        return outcome;
    const struct cudaFuncAttributes found = {
        .sharedSizeBytes = (size_t)attribute(kernel, FUNCTION_SHARED_BYTES),
        .constSizeBytes = (size_t)attribute(kernel, FUNCTION_CONST_BYTES),
        .localSizeBytes = (size_t)attribute(kernel, FUNCTION_LOCAL_BYTES),
        .maxThreadsPerBlock = attribute(kernel, FUNCTION_MAX_THREADS),
        .numRegs = attribute(kernel, FUNCTION_REGISTERS),
        .ptxVersion = attribute(kernel, FUNCTION_PTX_VERSION),
        .binaryVersion = attribute(kernel, FUNCTION_BINARY_VERSION),
        .cacheModeCA = attribute(kernel, FUNCTION_CACHE_MODE_CA),
        .maxDynamicSharedSizeBytes = attribute(kernel, FUNCTION_MAX_DYNAMIC_SHARED_BYTES),
        .preferredShmemCarveout = attribute(kernel, FUNCTION_SHARED_CARVEOUT),
        .clusterDimMustBeSet = attribute(kernel, FUNCTION_CLUSTER_MUST_BE_SET),
        .requiredClusterWidth = attribute(kernel, FUNCTION_CLUSTER_WIDTH),
        .requiredClusterHeight = attribute(kernel, FUNCTION_CLUSTER_HEIGHT),
        .requiredClusterDepth = attribute(kernel, FUNCTION_CLUSTER_DEPTH),
        .clusterSchedulingPolicyPreference = attribute(kernel, FUNCTION_CLUSTER_POLICY),
        .nonPortableClusterSizeAllowed = attribute(kernel, FUNCTION_NON_PORTABLE_CLUSTER),
    };
    memcpy(attributes, &found, attributes_bytes());
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_FuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    return outcome == cudaSuccess ? DRIVER(cuFuncSetAttribute, kernel, attribute, value) : outcome;
}

cudaError_t gpuvm_runtime_FuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    return outcome == cudaSuccess ? DRIVER(cuFuncSetCacheConfig, kernel, config) : outcome;
}

cudaError_t gpuvm_runtime_FuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    return outcome == cudaSuccess ? DRIVER(cuFuncSetSharedMemConfig, kernel, config) : outcome;
}

cudaError_t gpuvm_runtime_GetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(symbol, &kernel);
    if (outcome == cudaSuccess)
        *function = (cudaFunction_t)kernel;
    return outcome;
}

cudaError_t gpuvm_runtime_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int blockSize, size_t dynamicSharedBytes, unsigned int flags)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    if (outcome != cudaSuccess)
        return outcome;
    return DRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, blocks, kernel, blockSize, dynamicSharedBytes, flags);
}

cudaError_t gpuvm_runtime_OccupancyMaxActiveBlocksPerMultiprocessor(
    int *blocks, const void *function, int blockSize, size_t dynamicSharedBytes)
{
    return gpuvm_runtime_OccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
        blocks, function, blockSize, dynamicSharedBytes, cudaOccupancyDefault);
}

/* The device has doubles: no conversion is needed. */
cudaError_t gpuvm_runtime_SetDoubleForDevice(double *value)
{
    (void)value;
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_SetDoubleForHost(double *value)
{
    (void)value;
    return cudaSuccess;
}
