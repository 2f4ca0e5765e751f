package io.gpuvm.cuda.service;

/// Results of calls, with the names and values of `CUresult` (CUDA driver API, Data types).
public enum CudaResult {
    SUCCESS(0),
    /// Parameter outside its range.
    INVALID_VALUE(1),
    /// Lack of memory, or of another resource of the session.
    OUT_OF_MEMORY(2),
    /// Loss of the GPU, or of the connection to it.
    DEVICE_UNAVAILABLE(46),
    /// Module that is damaged, or that the GPU cannot execute.
    INVALID_IMAGE(200),
    /// Handle that denotes no context.
    INVALID_CONTEXT(201),
    /// Module without code for the GPU.
    NO_BINARY_FOR_GPU(209),
    /// Limit that the device does not have.
    UNSUPPORTED_LIMIT(215),
    /// Module with PTX, for which a compiler is missing.
    JIT_COMPILER_NOT_FOUND(221),
    /// Handle that denotes no object of the required kind.
    INVALID_HANDLE(400),
    /// Object that is not in the required state.
    ILLEGAL_STATE(401),
    /// Unknown name, or unknown hash of a module.
    NOT_FOUND(500),
    /// Work that is not complete.
    NOT_READY(600),
    /// Access of a kernel to an address without memory.
    ILLEGAL_ADDRESS(700),
    /// Launch that needs more than a multiprocessor has.
    LAUNCH_OUT_OF_RESOURCES(701),
    /// Kernel that exceeded the time limit.
    LAUNCH_TIMEOUT(702),
    /// Second primary context.
    PRIMARY_CONTEXT_ACTIVE(708),
    /// Context that was destroyed before the call was complete.
    CONTEXT_IS_DESTROYED(709),
    /// Stack of a kernel that is damaged or too small.
    HARDWARE_STACK_ERROR(714),
    /// Instruction of a kernel that the GPU does not have.
    ILLEGAL_INSTRUCTION(715),
    /// Address or register of a kernel that is not a multiple of the access's width.
    MISALIGNED_ADDRESS(716),
    /// Address of a kernel in another space than the instruction requires.
    INVALID_ADDRESS_SPACE(717),
    /// Jump of a kernel to an invalid address.
    INVALID_PC(718),
    /// Another failure of a kernel.
    LAUNCH_FAILED(719),
    /// Cooperative launch with more blocks than the device runs at the same time.
    COOPERATIVE_LAUNCH_TOO_LARGE(720),
    /// Call, or variant of a call, that is not supported.
    NOT_SUPPORTED(801);

    private final int code;

    CudaResult(int code) {
        this.code = code;
    }

    /// Returns the value of `CUresult`.
    public int code() {
        return code;
    }
}
