package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;

/// Attributes of a kernel, as `cuFuncGetAttribute` reports them. Source for their meaning: CUDA
/// driver API, `CUfunction_attribute`.
///
/// @param maxThreads maximum number of threads of a block: the smaller of the file's limit and the
///   number for which a multiprocessor has registers
/// @param sharedBytes bytes of a block's static shared memory
/// @param constantBytes bytes of the module's `__constant__` variables
/// @param localBytes bytes of a thread's local memory, including the stack that the file requires
/// @param registers general registers of a thread
/// @param ptxVersion architecture of the PTX from which the code was compiled: 20 for compute_20
/// @param binaryVersion architecture of the code: 20 for sm_20
public record KernelAttributes(
        int maxThreads,
        int sharedBytes,
        int constantBytes,
        int localBytes,
        int registers,
        int ptxVersion,
        int binaryVersion) {
    static KernelAttributes of(Cubin cubin, CubinFunction kernel, BlockRule block) {
        int registers = Math.max(1, kernel.registers());
        int constants =
                cubin.constants().stream()
                        .filter(bank -> bank.index() == ConstantSection.USER)
                        .mapToInt(bank -> (int) bank.contents().byteSize())
                        .sum();
        CubinFunction.Stack stack = kernel.stack();
        int stackBytes = Math.max(0, Math.max(stack.minBytes(), stack.frameBytes()));
        return new KernelAttributes(
                Math.min(block.maxThreads(), Occupancy.maxThreads(registers)),
                kernel.sharedBytes(),
                constants,
                kernel.localBytes() + stackBytes,
                registers,
                cubin.virtualArchitecture(),
                cubin.architecture());
    }
}
