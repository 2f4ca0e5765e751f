package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxInstruction;
import io.gpuvm.ptx.check.PtxOperand;
import java.util.List;

/// Instruction whose sources are prepared for quick access.
final class DecodedInstruction {
    final PtxInstruction instruction;

    /// Sources, in order.
    private final PtxOperand[] sources;

    /// Indices of the sources' registers; -1 for constants, -2 for others.
    private final int[] registers;

    private final long[] constants;

    DecodedInstruction(PtxInstruction instruction) {
        this.instruction = instruction;
        List<PtxOperand> list = instruction.sources();
        sources = list.toArray(new PtxOperand[0]);
        registers = new int[sources.length];
        constants = new long[sources.length];
        for (int i = 0; i < sources.length; i++) {
            switch (sources[i]) {
                case PtxOperand.Register register -> registers[i] = register.register().index();
                case PtxOperand.Immediate immediate -> {
                    registers[i] = -1;
                    constants[i] = immediate.bits();
                }
                default -> registers[i] = -2;
            }
        }
    }

    /// Reads the sources of a lane.
    void read(LaneOperations lanes, CallFrame frame, int lane, long[] into) {
        for (int i = 0; i < registers.length; i++) {
            int register = registers[i];
            into[i] =
                    register >= 0
                            ? frame.read(register, lane)
                            : register == -1 ? constants[i] : lanes.value(frame, sources[i], lane);
        }
    }
}
