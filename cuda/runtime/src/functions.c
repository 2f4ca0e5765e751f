/* Attributes of kernels, and occupancy. */
#include <string.h>

#include "driver.h"
#include "gpuvm_runtime_api.h"
#include "images.h"
#include "level.h"

/* Value of an attribute, or 0 if the driver does not know it. The attributes of both APIs have the same numbers. */
static int attribute(CUfunction function, int wanted)
{
    int value;
    return gpuvm_driver.cuFuncGetAttribute(&value, (CUfunction_attribute)wanted, function) == CUDA_SUCCESS ? value : 0;
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
        .sharedSizeBytes = (size_t)attribute(kernel, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        .constSizeBytes = (size_t)attribute(kernel, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES),
        .localSizeBytes = (size_t)attribute(kernel, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES),
        .maxThreadsPerBlock = attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        .numRegs = attribute(kernel, CU_FUNC_ATTRIBUTE_NUM_REGS),
        .ptxVersion = attribute(kernel, CU_FUNC_ATTRIBUTE_PTX_VERSION),
        .binaryVersion = attribute(kernel, CU_FUNC_ATTRIBUTE_BINARY_VERSION),
        .cacheModeCA = attribute(kernel, CU_FUNC_ATTRIBUTE_CACHE_MODE_CA),
        .maxDynamicSharedSizeBytes = attribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES),
        .preferredShmemCarveout = attribute(kernel, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT),
        .clusterDimMustBeSet = attribute(kernel, cudaFuncAttributeClusterDimMustBeSet),
        .requiredClusterWidth = attribute(kernel, cudaFuncAttributeRequiredClusterWidth),
        .requiredClusterHeight = attribute(kernel, cudaFuncAttributeRequiredClusterHeight),
        .requiredClusterDepth = attribute(kernel, cudaFuncAttributeRequiredClusterDepth),
        .clusterSchedulingPolicyPreference = attribute(kernel, cudaFuncAttributeClusterSchedulingPolicyPreference),
        .nonPortableClusterSizeAllowed = attribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed),
    };
    memcpy(attributes, &found, attributes_bytes());
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_FuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    return outcome == cudaSuccess ? DRIVER(cuFuncSetAttribute, kernel, (CUfunction_attribute)attribute, value) : outcome;
}

cudaError_t gpuvm_runtime_FuncSetCacheConfig(const void *function, enum cudaFuncCache config)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    return outcome == cudaSuccess ? DRIVER(cuFuncSetCacheConfig, kernel, (CUfunc_cache)config) : outcome;
}

cudaError_t gpuvm_runtime_FuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config)
{
    CUfunction kernel;
    cudaError_t outcome = gpuvm_kernel_of(function, &kernel);
    return outcome == cudaSuccess ? DRIVER(cuFuncSetSharedMemConfig, kernel, (CUsharedconfig)config) : outcome;
}

cudaError_t gpuvm_runtime_GetFuncBySymbol(cudaFunction_t *function, const void *symbol)
{
    return gpuvm_kernel_of(symbol, function);
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
