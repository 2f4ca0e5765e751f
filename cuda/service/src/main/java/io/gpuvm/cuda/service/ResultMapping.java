package io.gpuvm.cuda.service;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.cubin.CubinException;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.FailureReport;
import io.gpuvm.pv.runtime.GpuException;

/// CUDA's results for the errors of the runtime and of modules.
final class ResultMapping {
    private ResultMapping() {}

    /// Returns the result for an error of the runtime.
    ///
    /// @param failure result for the failure of the context; null if it has not failed
    static CudaResult of(GpuException e, CudaResult failure) {
        return switch (e.error()) {
            case INVALID_VALUE -> CudaResult.INVALID_VALUE;
            case INVALID_HANDLE -> CudaResult.INVALID_HANDLE;
            case INVALID_IMAGE -> CudaResult.INVALID_IMAGE;
            case NOT_FOUND -> CudaResult.NOT_FOUND;
            case OUT_OF_RESOURCES -> CudaResult.LAUNCH_OUT_OF_RESOURCES;
            case OUT_OF_MEMORY -> CudaResult.OUT_OF_MEMORY;
            case LAUNCH_TIMEOUT -> CudaResult.LAUNCH_TIMEOUT;
            case LAUNCH_FAILED -> failure == null ? CudaResult.LAUNCH_FAILED : failure;
            case LOST -> CudaResult.DEVICE_UNAVAILABLE;
        };
    }

    /// Returns the result for a failure of a context, which all later calls have.
    static CudaResult of(ChannelFailure failure) {
        return switch (failure.what()) {
            case MEMORY_FAULT -> CudaResult.ILLEGAL_ADDRESS;
            case INSTRUCTION -> of(FailureReport.warpErrorOf(failure));
            case METHOD -> CudaResult.LAUNCH_FAILED;
            case TIMEOUT -> CudaResult.LAUNCH_TIMEOUT;
            case LOST -> CudaResult.DEVICE_UNAVAILABLE;
        };
    }

    private static CudaResult of(WarpError error) {
        return switch (error) {
            case STACK_ERROR, API_STACK_ERROR, RET_EMPTY_STACK_ERROR ->
                    CudaResult.HARDWARE_STACK_ERROR;
            case PC_WRAP, MISALIGNED_PC, PC_OVERFLOW -> CudaResult.INVALID_PC;
            case MISALIGNED_ADDR, MISALIGNED_REG, MISALIGNED_IMMC_ADDR ->
                    CudaResult.MISALIGNED_ADDRESS;
            // ILLEGAL_INSTR_PARAM is what a trap of the program causes, for which CUDA has no
            // result of its own.
            case ILLEGAL_INSTR_ENCODING, ILLEGAL_SPH_INSTR_COMBO, ILLEGAL_INSTR_PARAM2 ->
                    CudaResult.ILLEGAL_INSTRUCTION;
            case INVALID_ADDR_SPACE -> CudaResult.INVALID_ADDRESS_SPACE;
            case null, default -> CudaResult.LAUNCH_FAILED;
        };
    }

    /// Returns the result for a source that is not compiled.
    static CudaResult of(PtxResult.Failure failure) {
        return switch (failure) {
            case INVALID_SOURCE -> CudaResult.INVALID_PTX;
            case UNSUPPORTED_VERSION -> CudaResult.UNSUPPORTED_PTX_VERSION;
            case UNSUPPORTED_TARGET -> CudaResult.NO_BINARY_FOR_GPU;
            case LIMIT -> CudaResult.OUT_OF_MEMORY;
        };
    }

    /// Returns the result for a file that is not a module for this GPU.
    static CudaResult of(CubinException e) {
        return switch (e.kind()) {
            case MALFORMED -> CudaResult.INVALID_IMAGE;
            case OTHER_ARCHITECTURE -> CudaResult.NO_BINARY_FOR_GPU;
            case ONLY_PTX -> CudaResult.JIT_COMPILER_NOT_FOUND;
        };
    }
}
