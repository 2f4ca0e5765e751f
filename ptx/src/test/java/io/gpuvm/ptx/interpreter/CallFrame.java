package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxFunction;
import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxRegister;

/// Registers and local variables of one call, of all lanes of a warp.
final class CallFrame {
    final PtxFunction function;
    final FunctionLayout layout;
    final CallFrame caller;
    final PtxOperand.Call call;

    /// Start of the local variables in the local memory of each lane.
    final int[] localBase = new int[WarpExecution.LANES];

    /// Carry of each lane; borrow after a subtraction. Calls do not preserve it in PTX; here, they
    /// do.
    int carry;

    private final long[] registers;

    /// @param caller frame of the caller, or null
    /// @param call call, or null
    CallFrame(FunctionLayout layout, CallFrame caller, PtxOperand.Call call) {
        this.function = layout.function();
        this.layout = layout;
        this.caller = caller;
        this.call = call;
        registers = new long[function.registers().size() * WarpExecution.LANES];
    }

    long read(PtxRegister register, int lane) {
        return registers[register.index() * WarpExecution.LANES + lane];
    }

    long read(int register, int lane) {
        return registers[register * WarpExecution.LANES + lane];
    }

    void write(PtxRegister register, int lane, long value) {
        int bits = register.type().bits();
        registers[register.index() * WarpExecution.LANES + lane] =
                bits == Long.SIZE ? value : value & (1L << bits) - 1;
    }
}
