package io.gpuvm.ptx.optimize;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.ptx.ir.IrInstruction;
import java.util.EnumSet;
import java.util.Set;

/// Dependences of instructions other than their operands.
final class Effects {
    private static final Set<SpecialRegister> CHANGING =
            EnumSet.range(SpecialRegister.PM0, SpecialRegister.PM7);

    static {
        CHANGING.add(SpecialRegister.CLOCKLO);
        CHANGING.add(SpecialRegister.CLOCKHI);
    }

    private Effects() {}

    /// Returns whether an instruction must be executed even if its results are not used.
    static boolean isNeeded(IrInstruction instruction) {
        if (instruction.pseudo() != null) {
            return false;
        }
        return switch (instruction.opcode()) {
            case ST, STL, STS, STUL, STSUL, ATOM, RED, LDSLK, LDLK -> true;
            case BAR, MEMBAR, BPT, NOP, CAL, JCAL, JMX, SSY, PBK, PCNT, CCTL, CCTLL -> true;
            case LD, LDU, LDL, LDS -> instruction.isVolatile();
            default -> !instruction.results().isEmpty() && instruction.result().isFixed();
        };
    }

    /// Returns whether the results depend only on the operands.
    static boolean isPure(IrInstruction instruction) {
        if (instruction.pseudo() != null) {
            return true;
        }
        return switch (instruction.opcode()) {
            case LD, LDU, LDL, LDS, VOTE, B2R, LEPC -> false;
            case S2R ->
                    !CHANGING.contains(
                            SpecialRegister.of(
                                    instruction.modifiers().get(Field.SPECIAL_REGISTER)));
            default -> !isNeeded(instruction);
        };
    }
}
