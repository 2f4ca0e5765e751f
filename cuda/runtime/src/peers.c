/* Copies between devices. No device has peers: only copies within a device are possible. */
#include "copies.h"
#include "devices.h"
#include "gpuvm_runtime_api.h"

static cudaError_t check_devices(int toDevice, int fromDevice)
{
    cudaError_t outcome = gpuvm_check_device(toDevice);
    if (outcome == cudaSuccess)
        outcome = gpuvm_check_device(fromDevice);
    return outcome == cudaSuccess && toDevice != fromDevice ? cudaErrorNotSupported : outcome;
}

cudaError_t gpuvm_runtime_MemcpyPeerAsync(
    void *to, int toDevice, const void *from, int fromDevice, size_t bytes, cudaStream_t stream)
{
    cudaError_t outcome = check_devices(toDevice, fromDevice);
    return outcome == cudaSuccess ? gpuvm_copy_async(to, from, bytes, cudaMemcpyDeviceToDevice, stream) : outcome;
}

cudaError_t gpuvm_runtime_MemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t bytes)
{
    return gpuvm_runtime_MemcpyPeerAsync(to, toDevice, from, fromDevice, bytes, cudaStreamLegacy);
}
