#include "devices.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "gpuvm_runtime_api.h"
#include "images.h"
#include "texture_objects.h"

/* Greatest number of devices. */
#define DEVICES 64

/* CU_CTX_MAP_HOST is always on. */
#define IMPLIED_FLAGS cudaDeviceMapHost

/* Flag of cudaInitDevice: the flags of the device are to be set. */
#define INIT_FLAGS_ARE_VALID 0x1u

/* Primary contexts that the library uses, by device; null for a device that it does not use. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext primary[DEVICES];

/* Number of resets of devices. Primary contexts that threads have as current context end with them. */
static _Atomic unsigned int resets;

static _Thread_local struct {
    int device;
    CUcontext bound;     /* primary context that the library has made current */
    unsigned int resets; /* resets before that */
} thread;

cudaError_t gpuvm_check_device(int device)
{
    int count;
    cudaError_t outcome = DRIVER(cuDeviceGetCount, &count);
    if (outcome == cudaSuccess && (device < 0 || device >= count || device >= DEVICES))
        outcome = cudaErrorInvalidDevice;
    return outcome;
}

/* Retains the primary context of a device once for the process. */
static cudaError_t use_primary(int device, CUcontext *context, unsigned int *resets_before)
{
    cudaError_t outcome = gpuvm_check_device(device);
    if (outcome != cudaSuccess)
        return outcome;
    pthread_mutex_lock(&lock);
    if (primary[device] == NULL) {
        outcome = DRIVER(cuDevicePrimaryCtxRetain, context, device);
        if (outcome == cudaSuccess)
            primary[device] = *context;
    }
    *context = primary[device];
    *resets_before = atomic_load(&resets);
    pthread_mutex_unlock(&lock);
    return outcome;
}

static cudaError_t bind_primary(int device)
{
    CUcontext context;
    unsigned int resets_before;
    cudaError_t outcome = use_primary(device, &context, &resets_before);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuCtxSetCurrent, context);
    if (outcome == cudaSuccess) {
        thread.bound = context;
        thread.resets = resets_before;
    }
    return outcome;
}

cudaError_t gpuvm_runtime_enter_context(void)
{
    CUcontext current;
    cudaError_t outcome = gpuvm_runtime_enter_driver();
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuCtxGetCurrent, &current);
    if (outcome != cudaSuccess)
        return outcome;
    bool is_bound = current == thread.bound;
    if (current == NULL || (is_bound && thread.resets != atomic_load_explicit(&resets, memory_order_acquire)))
        return bind_primary(thread.device);
    return cudaSuccess;
}

cudaError_t gpuvm_context_number(uint64_t *number)
{
    unsigned long long found;
    cudaError_t outcome = DRIVER(cuCtxGetId, NULL, &found);
    *number = found;
    return outcome;
}

int gpuvm_device_attribute(CUdevice_attribute attribute)
{
    int value;
    return gpuvm_driver.cuDeviceGetAttribute(&value, attribute, thread.device) == CUDA_SUCCESS ? value : 0;
}

cudaError_t gpuvm_runtime_GetDeviceCount(int *count)
{
    *count = 0;
    cudaError_t outcome = gpuvm_runtime_enter_driver();
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuDeviceGetCount, count);
    if (outcome == cudaSuccess && *count == 0)
        outcome = cudaErrorNoDevice;
    return outcome;
}

cudaError_t gpuvm_runtime_GetDevice(int *device)
{
    *device = thread.device;
    return cudaSuccess;
}

/* Since CUDA 12.0, the function also creates the primary context, so that its errors appear here. */
cudaError_t gpuvm_runtime_SetDevice(int device)
{
    cudaError_t outcome = bind_primary(device);
    if (outcome == cudaSuccess)
        thread.device = device;
    return outcome;
}

cudaError_t gpuvm_runtime_InitDevice(int device, unsigned int deviceFlags, unsigned int flags)
{
    if ((flags & ~INIT_FLAGS_ARE_VALID) != 0)
        return cudaErrorInvalidValue;
    cudaError_t outcome = gpuvm_check_device(device);
    if (outcome == cudaSuccess && flags != 0)
        outcome = DRIVER(cuDevicePrimaryCtxSetFlags_v2, device, deviceFlags & ~(unsigned int)IMPLIED_FLAGS);
    CUcontext context;
    unsigned int unused;
    return outcome == cudaSuccess ? use_primary(device, &context, &unused) : outcome;
}

/* The first device of the list is the thread's device. */
cudaError_t gpuvm_runtime_SetValidDevices(int *devices, int count)
{
    if (count < 0 || (count > 0 && devices == NULL))
        return cudaErrorInvalidValue;
    for (int i = 0; i < count; i++) {
        cudaError_t outcome = gpuvm_check_device(devices[i]);
        if (outcome != cudaSuccess)
            return outcome;
    }
    thread.device = count > 0 ? devices[0] : 0;
    return cudaSuccess;
}

cudaError_t gpuvm_runtime_SetDeviceFlags(unsigned int flags)
{
    if ((flags & ~(unsigned int)cudaDeviceMask) != 0)
        return cudaErrorInvalidValue;
    return DRIVER(cuDevicePrimaryCtxSetFlags_v2, thread.device, flags & ~(unsigned int)IMPLIED_FLAGS);
}

cudaError_t gpuvm_runtime_GetDeviceFlags(unsigned int *flags)
{
    int is_active;
    cudaError_t outcome = DRIVER(cuDevicePrimaryCtxGetState, thread.device, flags, &is_active);
    *flags |= IMPLIED_FLAGS;
    return outcome;
}

cudaError_t gpuvm_runtime_DeviceSynchronize(void)
{
    return DRIVER(cuCtxSynchronize);
}

/* Waits for the work of a context, so that its kernels' output appears; their errors end with the context. Returns its number. */
static uint64_t finish(CUcontext context)
{
    uint64_t number = 0;
    CUcontext popped;
    if (gpuvm_driver.cuCtxPushCurrent_v2(context) != CUDA_SUCCESS)
        return number;
    gpuvm_context_number(&number);
    gpuvm_driver.cuCtxSynchronize();
    gpuvm_driver.cuCtxPopCurrent_v2(&popped);
    return number;
}

cudaError_t gpuvm_runtime_DeviceReset(void)
{
    int device = thread.device;
    cudaError_t outcome = gpuvm_check_device(device);
    if (outcome != cudaSuccess)
        return outcome;
    pthread_mutex_lock(&lock);
    CUcontext context = primary[device];
    uint64_t number = context != NULL ? finish(context) : 0;
    outcome = DRIVER(cuDevicePrimaryCtxReset_v2, device);
    if (context != NULL) {
        gpuvm_images_forget(number);
        gpuvm_texture_objects_forget(number);
        primary[device] = NULL;
        gpuvm_driver.cuDevicePrimaryCtxRelease_v2(device);
    }
    atomic_fetch_add(&resets, 1);
    pthread_mutex_unlock(&lock);
    return outcome;
}

cudaError_t gpuvm_runtime_DeviceSetLimit(enum cudaLimit limit, size_t value)
{
    return DRIVER(cuCtxSetLimit, (CUlimit)limit, value);
}

cudaError_t gpuvm_runtime_DeviceGetLimit(size_t *value, enum cudaLimit limit)
{
    return DRIVER(cuCtxGetLimit, value, (CUlimit)limit);
}

cudaError_t gpuvm_runtime_DeviceGetCacheConfig(enum cudaFuncCache *config)
{
    CUfunc_cache found = CU_FUNC_CACHE_PREFER_NONE;
    cudaError_t outcome = DRIVER(cuCtxGetCacheConfig, &found);
    *config = (enum cudaFuncCache)found;
    return outcome;
}

cudaError_t gpuvm_runtime_DeviceSetCacheConfig(enum cudaFuncCache config)
{
    return DRIVER(cuCtxSetCacheConfig, (CUfunc_cache)config);
}

cudaError_t gpuvm_runtime_DeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
    CUsharedconfig found = CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE;
    cudaError_t outcome = DRIVER(cuCtxGetSharedMemConfig, &found);
    *config = (enum cudaSharedMemConfig)found;
    return outcome;
}

cudaError_t gpuvm_runtime_DeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
    return DRIVER(cuCtxSetSharedMemConfig, (CUsharedconfig)config);
}

cudaError_t gpuvm_runtime_DeviceGetStreamPriorityRange(int *leastPriority, int *greatestPriority)
{
    return DRIVER(cuCtxGetStreamPriorityRange, leastPriority, greatestPriority);
}

cudaError_t gpuvm_runtime_DeviceGetPCIBusId(char *busId, int length, int device)
{
    return DRIVER(cuDeviceGetPCIBusId, busId, length, device);
}

cudaError_t gpuvm_runtime_DeviceGetByPCIBusId(int *device, const char *busId)
{
    return DRIVER(cuDeviceGetByPCIBusId, device, busId);
}

cudaError_t gpuvm_runtime_DeviceCanAccessPeer(int *canAccess, int device, int peer)
{
    return DRIVER(cuDeviceCanAccessPeer, canAccess, device, peer);
}

/* No device has peers. */
static cudaError_t check_peer(int peer)
{
    cudaError_t outcome = gpuvm_check_device(peer);
    if (outcome == cudaSuccess && peer == thread.device)
        outcome = cudaErrorInvalidDevice;
    return outcome;
}

cudaError_t gpuvm_runtime_DeviceEnablePeerAccess(int peer, unsigned int flags)
{
    if (flags != 0)
        return cudaErrorInvalidValue;
    cudaError_t outcome = check_peer(peer);
    return outcome != cudaSuccess ? outcome : cudaErrorPeerAccessUnsupported;
}

cudaError_t gpuvm_runtime_DeviceDisablePeerAccess(int peer)
{
    cudaError_t outcome = check_peer(peer);
    return outcome != cudaSuccess ? outcome : cudaErrorPeerAccessNotEnabled;
}

/* Names before CUDA 4.0. */

cudaError_t gpuvm_runtime_ThreadSynchronize(void)
{
    return gpuvm_runtime_DeviceSynchronize();
}

cudaError_t gpuvm_runtime_ThreadExit(void)
{
    return gpuvm_runtime_DeviceReset();
}

cudaError_t gpuvm_runtime_ThreadSetLimit(enum cudaLimit limit, size_t value)
{
    return gpuvm_runtime_DeviceSetLimit(limit, value);
}

cudaError_t gpuvm_runtime_ThreadGetLimit(size_t *value, enum cudaLimit limit)
{
    return gpuvm_runtime_DeviceGetLimit(value, limit);
}

cudaError_t gpuvm_runtime_ThreadGetCacheConfig(enum cudaFuncCache *config)
{
    return gpuvm_runtime_DeviceGetCacheConfig(config);
}

cudaError_t gpuvm_runtime_ThreadSetCacheConfig(enum cudaFuncCache config)
{
    return gpuvm_runtime_DeviceSetCacheConfig(config);
}

/* Profiler. */

cudaError_t gpuvm_runtime_ProfilerStart(void)
{
    return DRIVER(cuProfilerStart);
}

cudaError_t gpuvm_runtime_ProfilerStop(void)
{
    return DRIVER(cuProfilerStop);
}
