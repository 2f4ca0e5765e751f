/*
 * Properties of devices. Programs were compiled with the structure of their version of CUDA: CUDA 7.5 and 8.0 have the members of today's
 * in the same order without those that came later, and CUDA 11 has the first part of today's. Sources: NVIDIA's public documentation of
 * cudaDeviceProp, and declarations of it in public programs.
 */
#include <stdint.h>
#include <string.h>

#include "devices.h"
#include "gpuvm_runtime_api.h"
#include "level.h"

/* Members from the first to before the last one. */
#define MEMBERS_BYTES(first, last) (offsetof(struct cudaDeviceProp, last) - offsetof(struct cudaDeviceProp, first))

/* Structure of CUDA 8.0; that of CUDA 7.5 ends before the last four members. */
struct old_properties {
    char name[256];
    /* totalGlobalMem to l2CacheSize */
    _Alignas(8) unsigned char memory_to_l2_cache[MEMBERS_BYTES(totalGlobalMem, persistingL2CacheMaxSize)];
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported;
    int localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard;
    int multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
};

_Static_assert(offsetof(struct cudaDeviceProp, totalGlobalMem) % 8 == 0, "the copied members keep their alignment");
_Static_assert(sizeof(struct old_properties) == 648, "size of the structure of CUDA 8.0");
_Static_assert(offsetof(struct old_properties, hostNativeAtomicSupported) == 632, "size of the structure of CUDA 7.5");
_Static_assert(sizeof(struct cudaDeviceProp) == 1032, "size of the structure of CUDA 12");

static int attribute(int device, CUdevice_attribute wanted)
{
    int value;
    return gpuvm_driver.cuDeviceGetAttribute(&value, wanted, device) == CUDA_SUCCESS ? value : 0;
}

/* An attribute that is a number of bytes. */
static size_t bytes(int device, CUdevice_attribute wanted)
{
    return (size_t)(unsigned int)attribute(device, wanted);
}

#define ATTRIBUTE(name) attribute(device, CU_DEVICE_ATTRIBUTE_##name)
#define BYTES(name) bytes(device, CU_DEVICE_ATTRIBUTE_##name)

static void read_limits(struct cudaDeviceProp *properties, int device)
{
    properties->sharedMemPerBlock = BYTES(MAX_SHARED_MEMORY_PER_BLOCK);
    properties->regsPerBlock = ATTRIBUTE(MAX_REGISTERS_PER_BLOCK);
    properties->warpSize = ATTRIBUTE(WARP_SIZE);
    properties->memPitch = BYTES(MAX_PITCH);
    properties->maxThreadsPerBlock = ATTRIBUTE(MAX_THREADS_PER_BLOCK);
    properties->maxThreadsDim[0] = ATTRIBUTE(MAX_BLOCK_DIM_X);
    properties->maxThreadsDim[1] = ATTRIBUTE(MAX_BLOCK_DIM_Y);
    properties->maxThreadsDim[2] = ATTRIBUTE(MAX_BLOCK_DIM_Z);
    properties->maxGridSize[0] = ATTRIBUTE(MAX_GRID_DIM_X);
    properties->maxGridSize[1] = ATTRIBUTE(MAX_GRID_DIM_Y);
    properties->maxGridSize[2] = ATTRIBUTE(MAX_GRID_DIM_Z);
    properties->totalConstMem = BYTES(TOTAL_CONSTANT_MEMORY);
    properties->maxThreadsPerMultiProcessor = ATTRIBUTE(MAX_THREADS_PER_MULTIPROCESSOR);
    properties->sharedMemPerMultiprocessor = BYTES(MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
    properties->regsPerMultiprocessor = ATTRIBUTE(MAX_REGISTERS_PER_MULTIPROCESSOR);
    properties->sharedMemPerBlockOptin = BYTES(MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    properties->maxBlocksPerMultiProcessor = ATTRIBUTE(MAX_BLOCKS_PER_MULTIPROCESSOR);
    properties->reservedSharedMemPerBlock = BYTES(RESERVED_SHARED_MEMORY_PER_BLOCK);
}

static void read_hardware(struct cudaDeviceProp *properties, int device)
{
    properties->clockRate = ATTRIBUTE(CLOCK_RATE);
    properties->major = ATTRIBUTE(COMPUTE_CAPABILITY_MAJOR);
    properties->minor = ATTRIBUTE(COMPUTE_CAPABILITY_MINOR);
    properties->deviceOverlap = ATTRIBUTE(GPU_OVERLAP);
    properties->multiProcessorCount = ATTRIBUTE(MULTIPROCESSOR_COUNT);
    properties->kernelExecTimeoutEnabled = ATTRIBUTE(KERNEL_EXEC_TIMEOUT);
    properties->integrated = ATTRIBUTE(INTEGRATED);
    properties->canMapHostMemory = ATTRIBUTE(CAN_MAP_HOST_MEMORY);
    properties->computeMode = ATTRIBUTE(COMPUTE_MODE);
    properties->concurrentKernels = ATTRIBUTE(CONCURRENT_KERNELS);
    properties->ECCEnabled = ATTRIBUTE(ECC_ENABLED);
    properties->pciBusID = ATTRIBUTE(PCI_BUS_ID);
    properties->pciDeviceID = ATTRIBUTE(PCI_DEVICE_ID);
    properties->pciDomainID = ATTRIBUTE(PCI_DOMAIN_ID);
    properties->tccDriver = ATTRIBUTE(TCC_DRIVER);
    properties->asyncEngineCount = ATTRIBUTE(ASYNC_ENGINE_COUNT);
    properties->unifiedAddressing = ATTRIBUTE(UNIFIED_ADDRESSING);
    properties->memoryClockRate = ATTRIBUTE(MEMORY_CLOCK_RATE);
    properties->memoryBusWidth = ATTRIBUTE(GLOBAL_MEMORY_BUS_WIDTH);
    properties->l2CacheSize = ATTRIBUTE(L2_CACHE_SIZE);
    properties->persistingL2CacheMaxSize = ATTRIBUTE(MAX_PERSISTING_L2_CACHE_SIZE);
    properties->accessPolicyMaxWindowSize = ATTRIBUTE(MAX_ACCESS_POLICY_WINDOW_SIZE);
}

static void read_textures(struct cudaDeviceProp *properties, int device)
{
    properties->textureAlignment = BYTES(TEXTURE_ALIGNMENT);
    properties->texturePitchAlignment = BYTES(TEXTURE_PITCH_ALIGNMENT);
    properties->maxTexture1D = ATTRIBUTE(MAXIMUM_TEXTURE1D_WIDTH);
    properties->maxTexture1DMipmap = ATTRIBUTE(MAXIMUM_TEXTURE1D_MIPMAPPED_WIDTH);
    properties->maxTexture1DLinear = ATTRIBUTE(MAXIMUM_TEXTURE1D_LINEAR_WIDTH);
    properties->maxTexture2D[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_WIDTH);
    properties->maxTexture2D[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_HEIGHT);
    properties->maxTexture2DMipmap[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH);
    properties->maxTexture2DMipmap[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT);
    properties->maxTexture2DLinear[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_WIDTH);
    properties->maxTexture2DLinear[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_HEIGHT);
    properties->maxTexture2DLinear[2] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LINEAR_PITCH);
    properties->maxTexture2DGather[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_GATHER_WIDTH);
    properties->maxTexture2DGather[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_GATHER_HEIGHT);
    properties->maxTexture3D[0] = ATTRIBUTE(MAXIMUM_TEXTURE3D_WIDTH);
    properties->maxTexture3D[1] = ATTRIBUTE(MAXIMUM_TEXTURE3D_HEIGHT);
    properties->maxTexture3D[2] = ATTRIBUTE(MAXIMUM_TEXTURE3D_DEPTH);
    properties->maxTexture3DAlt[0] = ATTRIBUTE(MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE);
    properties->maxTexture3DAlt[1] = ATTRIBUTE(MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE);
    properties->maxTexture3DAlt[2] = ATTRIBUTE(MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE);
    properties->maxTextureCubemap = ATTRIBUTE(MAXIMUM_TEXTURECUBEMAP_WIDTH);
    properties->maxTexture1DLayered[0] = ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_WIDTH);
    properties->maxTexture1DLayered[1] = ATTRIBUTE(MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
    properties->maxTexture2DLayered[0] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_WIDTH);
    properties->maxTexture2DLayered[1] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_HEIGHT);
    properties->maxTexture2DLayered[2] = ATTRIBUTE(MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
    properties->maxTextureCubemapLayered[0] = ATTRIBUTE(MAXIMUM_TEXTURECUBEMAP_LAYERED_WIDTH);
    properties->maxTextureCubemapLayered[1] = ATTRIBUTE(MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS);
}

static void read_surfaces(struct cudaDeviceProp *properties, int device)
{
    properties->surfaceAlignment = BYTES(SURFACE_ALIGNMENT);
    properties->maxSurface1D = ATTRIBUTE(MAXIMUM_SURFACE1D_WIDTH);
    properties->maxSurface2D[0] = ATTRIBUTE(MAXIMUM_SURFACE2D_WIDTH);
    properties->maxSurface2D[1] = ATTRIBUTE(MAXIMUM_SURFACE2D_HEIGHT);
    properties->maxSurface3D[0] = ATTRIBUTE(MAXIMUM_SURFACE3D_WIDTH);
    properties->maxSurface3D[1] = ATTRIBUTE(MAXIMUM_SURFACE3D_HEIGHT);
    properties->maxSurface3D[2] = ATTRIBUTE(MAXIMUM_SURFACE3D_DEPTH);
    properties->maxSurface1DLayered[0] = ATTRIBUTE(MAXIMUM_SURFACE1D_LAYERED_WIDTH);
    properties->maxSurface1DLayered[1] = ATTRIBUTE(MAXIMUM_SURFACE1D_LAYERED_LAYERS);
    properties->maxSurface2DLayered[0] = ATTRIBUTE(MAXIMUM_SURFACE2D_LAYERED_WIDTH);
    properties->maxSurface2DLayered[1] = ATTRIBUTE(MAXIMUM_SURFACE2D_LAYERED_HEIGHT);
    properties->maxSurface2DLayered[2] = ATTRIBUTE(MAXIMUM_SURFACE2D_LAYERED_LAYERS);
    properties->maxSurfaceCubemap = ATTRIBUTE(MAXIMUM_SURFACECUBEMAP_WIDTH);
    properties->maxSurfaceCubemapLayered[0] = ATTRIBUTE(MAXIMUM_SURFACECUBEMAP_LAYERED_WIDTH);
    properties->maxSurfaceCubemapLayered[1] = ATTRIBUTE(MAXIMUM_SURFACECUBEMAP_LAYERED_LAYERS);
}

static void read_features(struct cudaDeviceProp *properties, int device)
{
    properties->streamPrioritiesSupported = ATTRIBUTE(STREAM_PRIORITIES_SUPPORTED);
    properties->globalL1CacheSupported = ATTRIBUTE(GLOBAL_L1_CACHE_SUPPORTED);
    properties->localL1CacheSupported = ATTRIBUTE(LOCAL_L1_CACHE_SUPPORTED);
    properties->managedMemory = ATTRIBUTE(MANAGED_MEMORY);
    properties->isMultiGpuBoard = ATTRIBUTE(MULTI_GPU_BOARD);
    properties->multiGpuBoardGroupID = ATTRIBUTE(MULTI_GPU_BOARD_GROUP_ID);
    properties->hostNativeAtomicSupported = ATTRIBUTE(HOST_NATIVE_ATOMIC_SUPPORTED);
    properties->singleToDoublePrecisionPerfRatio = ATTRIBUTE(SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO);
    properties->pageableMemoryAccess = ATTRIBUTE(PAGEABLE_MEMORY_ACCESS);
    properties->concurrentManagedAccess = ATTRIBUTE(CONCURRENT_MANAGED_ACCESS);
    properties->computePreemptionSupported = ATTRIBUTE(COMPUTE_PREEMPTION_SUPPORTED);
    properties->canUseHostPointerForRegisteredMem = ATTRIBUTE(CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM);
    properties->cooperativeLaunch = ATTRIBUTE(COOPERATIVE_LAUNCH);
    properties->cooperativeMultiDeviceLaunch = ATTRIBUTE(COOPERATIVE_MULTI_DEVICE_LAUNCH);
    properties->pageableMemoryAccessUsesHostPageTables = ATTRIBUTE(PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES);
    properties->directManagedMemAccessFromHost = ATTRIBUTE(DIRECT_MANAGED_MEM_ACCESS_FROM_HOST);
    properties->hostRegisterSupported = ATTRIBUTE(HOST_REGISTER_SUPPORTED);
    properties->sparseCudaArraySupported = ATTRIBUTE(SPARSE_CUDA_ARRAY_SUPPORTED);
    properties->hostRegisterReadOnlySupported = ATTRIBUTE(READ_ONLY_HOST_REGISTER_SUPPORTED);
    properties->timelineSemaphoreInteropSupported = ATTRIBUTE(TIMELINE_SEMAPHORE_INTEROP_SUPPORTED);
    properties->memoryPoolsSupported = ATTRIBUTE(MEMORY_POOLS_SUPPORTED);
    properties->gpuDirectRDMASupported = ATTRIBUTE(GPU_DIRECT_RDMA_SUPPORTED);
    properties->gpuDirectRDMAFlushWritesOptions = (unsigned int)ATTRIBUTE(GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS);
    properties->gpuDirectRDMAWritesOrdering = ATTRIBUTE(GPU_DIRECT_RDMA_WRITES_ORDERING);
    properties->memoryPoolSupportedHandleTypes = (unsigned int)ATTRIBUTE(MEMPOOL_SUPPORTED_HANDLE_TYPES);
    properties->deferredMappingCudaArraySupported = ATTRIBUTE(DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED);
    properties->ipcEventSupported = ATTRIBUTE(IPC_EVENT_SUPPORTED);
    properties->clusterLaunch = ATTRIBUTE(CLUSTER_LAUNCH);
    properties->unifiedFunctionPointers = ATTRIBUTE(UNIFIED_FUNCTION_POINTERS);
}

cudaError_t gpuvm_runtime_GetDeviceProperties_v2(struct cudaDeviceProp *properties, int device)
{
    struct cudaDeviceProp found = {0};
    cudaError_t outcome = gpuvm_check_device(device);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuDeviceGetName, found.name, (int)sizeof found.name, device);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuDeviceTotalMem_v2, &found.totalGlobalMem, device);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuDeviceGetUuid, &found.uuid, device);
    if (outcome != cudaSuccess)
        return outcome;
    read_limits(&found, device);
    read_hardware(&found, device);
    read_textures(&found, device);
    read_surfaces(&found, device);
    read_features(&found, device);
    *properties = found;
    return cudaSuccess;
}

static void copy_old(void *properties, const struct cudaDeviceProp *found, size_t length)
{
    struct old_properties old = {
        .maxThreadsPerMultiProcessor = found->maxThreadsPerMultiProcessor,
        .streamPrioritiesSupported = found->streamPrioritiesSupported,
        .globalL1CacheSupported = found->globalL1CacheSupported,
        .localL1CacheSupported = found->localL1CacheSupported,
        .sharedMemPerMultiprocessor = found->sharedMemPerMultiprocessor,
        .regsPerMultiprocessor = found->regsPerMultiprocessor,
        .managedMemory = found->managedMemory,
        .isMultiGpuBoard = found->isMultiGpuBoard,
        .multiGpuBoardGroupID = found->multiGpuBoardGroupID,
        .hostNativeAtomicSupported = found->hostNativeAtomicSupported,
        .singleToDoublePrecisionPerfRatio = found->singleToDoublePrecisionPerfRatio,
        .pageableMemoryAccess = found->pageableMemoryAccess,
        .concurrentManagedAccess = found->concurrentManagedAccess,
    };
    memcpy(old.name, found->name, sizeof old.name);
    memcpy(old.memory_to_l2_cache, &found->totalGlobalMem, sizeof old.memory_to_l2_cache);
    memcpy(properties, &old, length);
}

/* The name without a version stands for the structure of CUDA 11 or earlier. */
cudaError_t gpuvm_runtime_GetDeviceProperties(struct cudaDeviceProp *properties, int device)
{
    struct cudaDeviceProp found;
    cudaError_t outcome = gpuvm_runtime_GetDeviceProperties_v2(&found, device);
    if (outcome != cudaSuccess)
        return outcome;
    if (gpuvm_level < LEVEL_HOST_ATOMICS)
        copy_old(properties, &found, offsetof(struct old_properties, hostNativeAtomicSupported));
    else if (gpuvm_level < LEVEL_NEW_ERRORS)
        copy_old(properties, &found, sizeof(struct old_properties));
    else
        memcpy(properties, &found, offsetof(struct cudaDeviceProp, hostRegisterSupported));
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_DeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    return DRIVER(cuDeviceGetAttribute, value, (CUdevice_attribute)attribute, device);
}

/* The wanted properties are preferences; gpuvm's driver has one device. */
cudaError_t gpuvm_runtime_ChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    (void)wanted;
    *device = 0;
    return gpuvm_check_device(*device);
}
