package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.CudaStatus;

/// Results of calls, with the names and values of `CUresult` (CUDA driver API, Data types).
public enum CudaResult {
    SUCCESS(CudaStatus.SUCCESS),
    /// Parameter outside its range.
    INVALID_VALUE(CudaStatus.INVALID_VALUE),
    /// Lack of memory, or of another resource of the session.
    OUT_OF_MEMORY(CudaStatus.OUT_OF_MEMORY),
    /// Loss of the GPU, or of the connection to it.
    DEVICE_UNAVAILABLE(CudaStatus.DEVICE_UNAVAILABLE),
    /// Module that is damaged, or that the GPU cannot execute.
    INVALID_IMAGE(CudaStatus.INVALID_IMAGE),
    /// Handle that denotes no context.
    INVALID_CONTEXT(CudaStatus.INVALID_CONTEXT),
    /// Module without code for the GPU.
    NO_BINARY_FOR_GPU(CudaStatus.NO_BINARY_FOR_GPU),
    /// PTX with errors.
    INVALID_PTX(CudaStatus.INVALID_PTX),
    /// PTX in a version of the language that the compiler does not know.
    UNSUPPORTED_PTX_VERSION(CudaStatus.UNSUPPORTED_PTX_VERSION),
    /// Limit that the device does not have.
    UNSUPPORTED_LIMIT(CudaStatus.UNSUPPORTED_LIMIT),
    /// Module with PTX only, which has to be compiled before it is loaded.
    JIT_COMPILER_NOT_FOUND(CudaStatus.JIT_COMPILER_NOT_FOUND),
    /// Handle that denotes no object of the required kind.
    INVALID_HANDLE(CudaStatus.INVALID_HANDLE),
    /// Object that is not in the required state.
    ILLEGAL_STATE(CudaStatus.ILLEGAL_STATE),
    /// Unknown name, or unknown hash of a module.
    NOT_FOUND(CudaStatus.NOT_FOUND),
    /// Work that is not complete.
    NOT_READY(CudaStatus.NOT_READY),
    /// Access of a kernel to an address without memory.
    ILLEGAL_ADDRESS(CudaStatus.ILLEGAL_ADDRESS),
    /// Launch that needs more than a multiprocessor has.
    LAUNCH_OUT_OF_RESOURCES(CudaStatus.LAUNCH_OUT_OF_RESOURCES),
    /// Kernel that exceeded the time limit.
    LAUNCH_TIMEOUT(CudaStatus.LAUNCH_TIMEOUT),
    /// Second primary context.
    PRIMARY_CONTEXT_ACTIVE(CudaStatus.PRIMARY_CONTEXT_ACTIVE),
    /// Context that was destroyed before the call was complete.
    CONTEXT_IS_DESTROYED(CudaStatus.CONTEXT_IS_DESTROYED),
    /// Assertion of a kernel that failed.
    ASSERT(CudaStatus.ASSERT),
    /// Stack of a kernel that is damaged or too small.
    HARDWARE_STACK_ERROR(CudaStatus.HARDWARE_STACK_ERROR),
    /// Instruction of a kernel that the GPU does not have.
    ILLEGAL_INSTRUCTION(CudaStatus.ILLEGAL_INSTRUCTION),
    /// Address or register of a kernel that is not a multiple of the access's width.
    MISALIGNED_ADDRESS(CudaStatus.MISALIGNED_ADDRESS),
    /// Address of a kernel in another space than the instruction requires.
    INVALID_ADDRESS_SPACE(CudaStatus.INVALID_ADDRESS_SPACE),
    /// Jump of a kernel to an invalid address.
    INVALID_PC(CudaStatus.INVALID_PC),
    /// Another failure of a kernel.
    LAUNCH_FAILED(CudaStatus.LAUNCH_FAILED),
    /// Cooperative launch with more blocks than the device runs at the same time.
    COOPERATIVE_LAUNCH_TOO_LARGE(CudaStatus.COOPERATIVE_LAUNCH_TOO_LARGE),
    /// Call, or variant of a call, that is not supported.
    NOT_SUPPORTED(CudaStatus.NOT_SUPPORTED),
    /// Internal error of the backend.
    UNKNOWN(CudaStatus.UNKNOWN);

    private final int code;

    CudaResult(int code) {
        this.code = code;
    }

    /// Returns the value of `CUresult`.
    public int code() {
        return code;
    }
}
