package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;

/// Sums and products of integers.
///
/// The adder's inputs are complements where an operand is negated, as
/// [io.gpuvm.softgpu.sm.code.Instruction] says.
final class IntegerEmitter implements LaneEmitter {
    private static final int SUM = 2;
    private static final int FLAGS = 5;

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case IADD, IADD32I, ISCADD, ISCADD32I -> sumCost(i, i.flipA, i.flipB);
            case IMAD, IMAD32I -> isHigh(i) ? 0 : sumCost(i, i.flipProduct, i.flipC);
            case IMUL, IMUL32I -> isHigh(i) ? 0 : SUM + (i.setsConditions ? FLAGS : 0);
            default -> 0;
        };
    }

    private static boolean isHigh(Instruction i) {
        return (i.mode & Decoder.HIGH) != 0;
    }

    private static int sumCost(Instruction i, int flipX, int flipY) {
        boolean twice = (flipX & flipY) != 0 && !i.carryIn;
        if (i.saturates || twice && i.setsConditions) {
            return 0;
        }
        return SUM + (i.setsConditions ? FLAGS : 0);
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case IADD, IADD32I -> {
                lane.pushInt(i.a);
                int x = lane.store();
                lane.pushSecond(i);
                sum(i, lane, x, i.flipA, i.flipB);
            }
            case ISCADD, ISCADD32I -> {
                lane.pushInt(i.a);
                lane.push(i.mode);
                lane.code().ishl();
                int x = lane.store();
                lane.pushSecond(i);
                sum(i, lane, x, i.flipA, i.flipB);
            }
            case IMAD, IMAD32I -> {
                product(i, lane);
                int x = lane.store();
                lane.pushThird(i);
                sum(i, lane, x, i.flipProduct, i.flipC);
            }
            default -> {
                product(i, lane);
                if (i.setsConditions) {
                    lane.code().dup();
                    int result = lane.store();
                    lane.setConditions(result);
                }
                lane.setInt(i.result);
            }
        }
    }

    private static void product(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        lane.pushSecond(i);
        lane.code().imul();
    }

    /// Adds a local variable and what is on the operand stack.
    private static void sum(Instruction i, LaneCode lane, int x, int flipX, int flipY) {
        CodeBuilder code = lane.code();
        if (!i.carryIn && !i.plusOne && !i.setsConditions && (flipX & flipY) == 0) {
            if (flipX == 0 && flipY == 0) {
                code.iload(x).iadd();
            } else if (flipX != 0) {
                code.iload(x).isub();
            } else {
                int y = lane.store();
                code.iload(x).iload(y).isub();
            }
            lane.setInt(i.result);
            return;
        }
        if (flipY != 0) {
            lane.invert();
        }
        int q = lane.store();
        code.iload(x);
        if (flipX != 0) {
            lane.invert();
        }
        int p = lane.store();
        code.iload(p).iload(q).iadd();
        if (i.carryIn) {
            lane.pushFlag(Flag.CARRY, 0);
            code.isub();
        } else if (i.plusOne || (flipX | flipY) != 0) {
            lane.push((flipX & flipY) != 0 ? 2 : 1);
            code.iadd();
        }
        int sum = lane.store();
        if (i.setsConditions) {
            flags(lane, p, q, sum);
        }
        code.iload(sum);
        lane.setInt(i.result);
    }

    private static void flags(LaneCode lane, int p, int q, int sum) {
        CodeBuilder code = lane.code();
        lane.pushIsZero(sum);
        lane.setFlag(Flag.ZERO);
        code.iload(sum);
        lane.signToFlag(Flag.SIGN);
        code.iload(p).iload(q).iand().iload(p).iload(q).ior().iload(sum);
        lane.invert();
        code.iand().ior();
        lane.signToFlag(Flag.CARRY);
        code.iload(p).iload(sum).ixor().iload(q).iload(sum).ixor().iand();
        lane.signToFlag(Flag.OVERFLOW);
    }
}
