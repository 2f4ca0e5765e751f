/* Names of the driver library's functions that this library needs. */
#ifndef GPUVM_DRIVER_FUNCTIONS_H
#define GPUVM_DRIVER_FUNCTIONS_H

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
    F(cuMemHostRegister_v2) F(cuMemHostUnregister) F(cuMemcpy) F(cuMemcpy3DAsync_v2) F(cuMemcpy3D_v2) \
    F(cuMemcpyAsync) F(cuMemcpyDtoDAsync_v2) F(cuMemcpyDtoD_v2) F(cuMemcpyDtoHAsync_v2) F(cuMemcpyDtoH_v2) \
    F(cuMemcpyHtoDAsync_v2) F(cuMemcpyHtoD_v2) F(cuMemsetD2D8Async) \
    F(cuMemsetD8Async) F(cuModuleGetFunction) F(cuModuleGetGlobal_v2) F(cuModuleGetTexRef) F(cuModuleLoadData) F(cuModuleUnload) \
    F(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags) F(cuPointerGetAttributes) F(cuProfilerStart) F(cuProfilerStop) \
    F(cuStreamAddCallback) F(cuStreamCreateWithPriority) F(cuStreamDestroy_v2) F(cuStreamGetFlags) F(cuStreamGetId) \
    F(cuStreamGetPriority) F(cuStreamIsCapturing) F(cuStreamQuery) F(cuStreamSynchronize) F(cuStreamWaitEvent) F(cuTexRefSetAddressMode) \
    F(cuTexRefSetAddress_v2) F(cuTexRefSetFilterMode) F(cuTexRefSetFlags) F(cuTexRefSetFormat) F(cuThreadExchangeStreamCaptureMode)

/* Those whose names for the default stream of the calling thread it calls, too. */
#define GPUVM_DRIVER_TWINS(F) F(cuMemcpy) F(cuMemcpy3D_v2) F(cuMemcpyDtoD_v2) F(cuMemcpyDtoH_v2) F(cuMemcpyHtoD_v2)

#endif
