package io.gpuvm.pv.module;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.cubin.CubinFunction;

/// Resources of a multiprocessor that a kernel needs, as operands of a launch's methods.
///
/// @param registers general registers of a thread, 1 to 63
/// @param barriers barriers of a block, at most 16
/// @param sharedBytes bytes of a block's static shared memory, at most 48 KiB; the dynamic part of
///   a launch follows it
/// @param localBytes bytes of a thread's local memory from local address 0 on, including its stack;
///   a multiple of 16
/// @param callStackBytes bytes of a warp's call and divergence stack, a multiple of 512
public record KernelResources(
        int registers, int barriers, int sharedBytes, int localBytes, int callStackBytes) {
    /// Minimum size of a call stack: the size that Mesa and gdev use for every kernel.
    private static final int LEAST_CALL_STACK_BYTES = 2 << 10;

    private static final int CALL_STACK_UNIT_BYTES = 16;

    /// Alignment of dynamic shared memory.
    private static final int SHARED_ALIGNMENT_BYTES = 16;

    static KernelResources of(CubinFunction kernel, int stackBytes) {
        CubinFunction.Stack stack = kernel.stack();
        int least = Math.max(stack.minBytes(), stack.frameBytes());
        int local = alignLocal(kernel.localBytes());
        if (least != 0 || stack.minBytes() == CubinFunction.Stack.UNKNOWN) {
            local += alignLocal(Math.max(least, stackBytes));
        }
        limit(kernel, "bytes of local memory", local, CubinFunction.MAX_LOCAL_BYTES);
        long calls =
                Math.max(
                        (long) stack.callReturnUnits() * CALL_STACK_UNIT_BYTES,
                        LEAST_CALL_STACK_BYTES);
        limit(kernel, "bytes of call stack", calls, ComputeClass.CALL_STACK_LIMIT_BYTES);
        return new KernelResources(
                Math.max(1, kernel.registers()),
                kernel.barriers(),
                align(kernel.sharedBytes(), SHARED_ALIGNMENT_BYTES),
                local,
                align((int) calls, ComputeClass.CALL_STACK_ALIGNMENT_BYTES));
    }

    private static int alignLocal(int bytes) {
        return align(bytes, ComputeClass.LOCAL_ALIGNMENT_BYTES);
    }

    private static int align(int bytes, int alignment) {
        return (bytes + alignment - 1) / alignment * alignment;
    }

    private static void limit(CubinFunction kernel, String name, long value, long limit) {
        if (value > limit) {
            throw ModuleException.at("kernel " + kernel.name(), name, value, limit);
        }
    }
}
