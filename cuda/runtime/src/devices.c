#include "devices.h"

#include <pthread.h>
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

/* Their numbers. A primary context has another number after a reset, also by the driver API. */
static uint64_t numbers[DEVICES];

static _Thread_local struct {
    int device;
    CUcontext bound; /* primary context that the library has made current */
} thread;

cudaError_t gpuvm_check_device(int device)
{
    int count;
    cudaError_t outcome = DRIVER(cuDeviceGetCount, &count);
    if (outcome == cudaSuccess && (device < 0 || device >= count || device >= DEVICES))
        outcome = cudaErrorInvalidDevice;
    return outcome;
}

static bool is_active(int device)
{
    unsigned int flags;
    int active;
    return gpuvm_driver.cuDevicePrimaryCtxGetState(device, &flags, &active) == CUDA_SUCCESS && active;
}

/* Forgets the modules and texture objects of a primary context that has ended. The caller has the lock. */
static void forget_contents(int device)
{
    gpuvm_images_forget(numbers[device]);
    gpuvm_texture_objects_forget(numbers[device]);
}

/* Retains the primary context of a device, and activates it again if the program has reset it by the driver API. The caller has the lock. */
static cudaError_t retain(int device)
{
    CUcontext context;
    unsigned long long number;
    cudaError_t outcome = DRIVER(cuDevicePrimaryCtxRetain, &context, device);
    if (outcome != cudaSuccess)
        return outcome;
    if (primary[device] != NULL) {
        /* The library's use of the context has survived the reset; its modules have not. */
        gpuvm_driver.cuDevicePrimaryCtxRelease_v2(device);
        forget_contents(device);
    }
    primary[device] = NULL;
    outcome = DRIVER(cuCtxGetId, context, &number);
    if (outcome != cudaSuccess) {
        gpuvm_driver.cuDevicePrimaryCtxRelease_v2(device);
        return outcome;
    }
    primary[device] = context;
    numbers[device] = number;
    return cudaSuccess;
}

/* Uses the primary context of a device, with one retention for the process. */
static cudaError_t use_primary(int device, CUcontext *context)
{
    cudaError_t outcome = gpuvm_check_device(device);
    if (outcome != cudaSuccess)
        return outcome;
    pthread_mutex_lock(&lock);
    if (primary[device] == NULL || !is_active(device))
        outcome = retain(device);
    *context = primary[device];
    pthread_mutex_unlock(&lock);
    return outcome;
}

static cudaError_t bind_primary(int device)
{
    CUcontext context;
    cudaError_t outcome = use_primary(device, &context);
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuCtxSetCurrent, context);
    if (outcome == cudaSuccess)
        thread.bound = context;
    return outcome;
}

cudaError_t gpuvm_runtime_enter_context(void)
{
    unsigned long long number;
    cudaError_t outcome = gpuvm_runtime_enter_driver();
    if (outcome == cudaSuccess)
        outcome = DRIVER(cuCtxGetId, NULL, &number);
    if (outcome == cudaErrorDeviceUninitialized)
        return bind_primary(thread.device);
    CUcontext current = NULL;
    if (outcome == cudaErrorContextIsDestroyed && DRIVER(cuCtxGetCurrent, &current) == cudaSuccess && current == thread.bound)
        return bind_primary(thread.device);
    return outcome;
}

cudaError_t gpuvm_context_number(uint64_t *number)
{
    unsigned long long found = 0;
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
    return outcome == cudaSuccess ? use_primary(device, &context) : outcome;
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

/* Waits for the work of a context, so that its kernels' output appears; their errors end with the context. */
static void finish(CUcontext context)
{
    CUcontext popped;
    if (gpuvm_driver.cuCtxPushCurrent_v2(context) != CUDA_SUCCESS)
        return;
    gpuvm_driver.cuCtxSynchronize();
    gpuvm_driver.cuCtxPopCurrent_v2(&popped);
}

cudaError_t gpuvm_runtime_DeviceReset(void)
{
    int device = thread.device;
    cudaError_t outcome = gpuvm_check_device(device);
    if (outcome != cudaSuccess)
        return outcome;
    pthread_mutex_lock(&lock);
    CUcontext context = primary[device];
    if (context != NULL)
        finish(context);
    outcome = DRIVER(cuDevicePrimaryCtxReset_v2, device);
    if (context != NULL) {
        forget_contents(device);
        primary[device] = NULL;
        gpuvm_driver.cuDevicePrimaryCtxRelease_v2(device);
    }
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
