/*
 * The driver library, libcuda.so.1. It is opened at the first call that needs it, so that programs start without one and learn from the
 * call's error that there is no driver.
 */
#ifndef GPUVM_DRIVER_H
#define GPUVM_DRIVER_H

#include "stubs.h"

/* Both APIs have a type of this name. */
#define CUuuid gpuvm_driver_uuid
#include "gpuvm_cuda_api.h"
#undef CUuuid

/* Functions of the driver that the library calls. */
#define GPUVM_DRIVER_FUNCTIONS(F) \
    F(cuCtxGetCacheConfig) F(cuCtxGetCurrent) F(cuCtxGetId) F(cuCtxGetLimit) F(cuCtxGetSharedMemConfig) F(cuCtxGetStreamPriorityRange) \
    F(cuCtxPopCurrent_v2) F(cuCtxPushCurrent_v2) F(cuCtxSetCacheConfig) F(cuCtxSetCurrent) F(cuCtxSetLimit) F(cuCtxSetSharedMemConfig) \
    F(cuCtxSynchronize) F(cuDeviceCanAccessPeer) F(cuDeviceGetAttribute) F(cuDeviceGetByPCIBusId) F(cuDeviceGetCount) \
    F(cuDeviceGetName) F(cuDeviceGetPCIBusId) F(cuDeviceGetUuid) F(cuDevicePrimaryCtxGetState) F(cuDevicePrimaryCtxRelease_v2) \
    F(cuDevicePrimaryCtxReset_v2) F(cuDevicePrimaryCtxRetain) F(cuDevicePrimaryCtxSetFlags_v2) F(cuDeviceTotalMem_v2) \
    F(cuDriverGetVersion) F(cuEventCreate) F(cuEventDestroy_v2) F(cuEventElapsedTime) F(cuEventQuery) F(cuEventRecord) \
    F(cuEventRecordWithFlags) F(cuEventSynchronize) F(cuFuncGetAttribute) F(cuFuncSetAttribute) F(cuFuncSetCacheConfig) \
    F(cuFuncSetSharedMemConfig) F(cuGetProcAddress_v2) F(cuInit) F(cuLaunchCooperativeKernel) F(cuLaunchHostFunc) F(cuLaunchKernel) \
    F(cuLaunchKernelEx) F(cuMemAllocAsync) F(cuMemAllocPitch_v2) F(cuMemAlloc_v2) F(cuMemFreeAsync) F(cuMemFreeHost) F(cuMemFree_v2) \
    F(cuMemGetAddressRange_v2) F(cuMemGetInfo_v2) F(cuMemHostAlloc) F(cuMemHostGetDevicePointer_v2) F(cuMemHostGetFlags) \
    F(cuMemHostRegister_v2) F(cuMemHostUnregister) F(cuMemcpy) F(cuMemcpy3DAsync_v2) F(cuMemcpy3D_v2) F(cuMemcpy3D_v2_ptds) \
    F(cuMemcpyAsync) F(cuMemcpyDtoDAsync_v2) F(cuMemcpyDtoD_v2) F(cuMemcpyDtoD_v2_ptds) F(cuMemcpyDtoHAsync_v2) F(cuMemcpyDtoH_v2) \
    F(cuMemcpyDtoH_v2_ptds) F(cuMemcpyHtoDAsync_v2) F(cuMemcpyHtoD_v2) F(cuMemcpyHtoD_v2_ptds) F(cuMemcpy_ptds) F(cuMemsetD2D8Async) \
    F(cuMemsetD8Async) F(cuModuleGetFunction) F(cuModuleGetGlobal_v2) F(cuModuleGetTexRef) F(cuModuleLoadData) F(cuModuleUnload) \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) F(cuPointerGetAttributes) F(cuProfilerStart) F(cuProfilerStop) \
    F(cuStreamAddCallback) F(cuStreamCreateWithPriority) F(cuStreamDestroy_v2) F(cuStreamGetFlags) F(cuStreamGetId) \
    F(cuStreamGetPriority) F(cuStreamIsCapturing) F(cuStreamQuery) F(cuStreamSynchronize) F(cuStreamWaitEvent) F(cuTexRefSetAddressMode) \
    F(cuTexRefSetAddress_v2) F(cuTexRefSetFilterMode) F(cuTexRefSetFlags) F(cuTexRefSetFormat) F(cuThreadExchangeStreamCaptureMode)

struct gpuvm_driver {
#define GPUVM_DRIVER_FIELD(name) __typeof__(name) *name;
    GPUVM_DRIVER_FUNCTIONS(GPUVM_DRIVER_FIELD)
#undef GPUVM_DRIVER_FIELD
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

/* Handles of the runtime API are those of the driver. */
#define STREAM(stream) ((CUstream)(stream))
#define EVENT(event) ((CUevent)(event))
#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

#endif
