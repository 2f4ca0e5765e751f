package io.gpuvm.softgpu.sm.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;

import io.gpuvm.softgpu.sm.alu.Integers;
import io.gpuvm.softgpu.sm.code.Decoder;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.MethodTypeDesc;

/// Emitter of integer sums and products.
///
/// The adder's inputs are complements if an operand is negated, as described in
/// [io.gpuvm.softgpu.sm.code.Instruction].
final class IntegerEmitter implements LaneEmitter {
    private static final int SIGN_BIT = Integer.SIZE - 1;
    private static final int SUM = 1;
    private static final int DIFFERENCE = 5;
    private static final int CLAMPING = 7;
    private static final int FLAGS = 5;

    /// Type of `int multiplyHigh(int a, int b, boolean signedA, boolean signedB)`.
    private static final MethodTypeDesc HIGH =
            MethodTypeDesc.of(CD_int, CD_int, CD_int, CD_boolean, CD_boolean);

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case IADD, IADD32I, ISCADD, ISCADD32I, IMUL, IMUL32I, IMAD, IMAD32I -> sumCost(i);
            case ISAD -> DIFFERENCE + sumCost(i);
            default -> 0;
        };
    }

    private static boolean isHigh(Instruction i) {
        return (i.mode & Decoder.HIGH) != 0;
    }

    private static int sumCost(Instruction i) {
        return SUM + (i.saturates ? CLAMPING : 0) + (i.setsConditions ? FLAGS : 0);
    }

    @Override
    public boolean isVector(Instruction i) {
        return switch (i.opcode) {
            case IMUL, IMUL32I, IMAD, IMAD32I -> !isHigh(i);
            default -> true;
        };
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case IADD, IADD32I -> {
                lane.pushInt(i.a);
                int x = lane.store();
                SourceOperands.pushSecond(i, lane);
                sum(i, lane, x, i.flipA, i.flipB);
            }
            case ISCADD, ISCADD32I -> {
                lane.pushInt(i.a);
                lane.push(i.mode);
                lane.code().ishl();
                int x = lane.store();
                SourceOperands.pushSecond(i, lane);
                sum(i, lane, x, i.flipA, i.flipB);
            }
            case IMAD, IMAD32I -> {
                product(i, lane);
                int x = lane.store();
                SourceOperands.pushThird(i, lane);
                sum(i, lane, x, i.flipProduct, i.flipC);
            }
            case ISAD -> {
                difference(i, lane);
                int x = lane.store();
                SourceOperands.pushThird(i, lane);
                sum(i, lane, x, 0, 0);
            }
            default -> {
                product(i, lane);
                if (i.setsConditions) {
                    lane.code().dup();
                    int result = lane.store();
                    lane.flags().setConditions(result);
                }
                lane.setInt(i.result);
            }
        }
    }

    private static void product(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        SourceOperands.pushSecond(i, lane);
        if (isHigh(i)) {
            lane.push((i.mode & Decoder.SIGNED_A) != 0);
            lane.push((i.mode & Decoder.SIGNED_B) != 0);
            lane.call(Integers.class, "multiplyHigh", HIGH);
        } else {
            lane.code().imul();
        }
    }

    /// Pushes the absolute difference of the operands.
    private static void difference(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        lane.pushInt(i.a);
        int x = storeOrder(i, lane);
        SourceOperands.pushSecond(i, lane);
        int y = storeOrder(i, lane);
        code.iload(x).iload(y);
        lane.call(Math.class, "max", GeneratedNames.ofInts(2));
        code.iload(x).iload(y);
        lane.call(Math.class, "min", GeneratedNames.ofInts(2));
        code.isub();
    }

    /// Pops an operand into a local variable, as a signed integer with the same order.
    private static int storeOrder(Instruction i, LaneCode lane) {
        if (!i.isSigned) {
            lane.push(Integer.MIN_VALUE);
            lane.code().ixor();
        }
        return lane.store();
    }

    /// Adds a local variable and the word on the operand stack.
    private static void sum(Instruction i, LaneCode lane, int x, int flipX, int flipY) {
        CodeBuilder code = lane.code();
        boolean isPlain = !i.carryIn && !i.plusOne && !i.setsConditions && !i.saturates;
        if (isPlain && (flipX & flipY) == 0) {
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
        boolean isTwice = !i.carryIn && (flipX & flipY) != 0;
        if (i.carryIn) {
            lane.flags().push(Flag.CARRY, 0);
            code.isub();
        } else if (i.plusOne || (flipX | flipY) != 0) {
            code.iconst_1().iadd();
        }
        int once = lane.store();
        int sum = once;
        if (isTwice) {
            code.iload(once).iconst_1().iadd();
            sum = lane.store();
        }
        int result = sum;
        if (i.saturates) {
            pushOverflow(lane, p, q, sum);
            clamp(lane, sum);
            result = lane.store();
        }
        if (i.setsConditions) {
            lane.pushIsZero(result);
            lane.flags().set(Flag.ZERO);
            code.iload(result);
            lane.flags().setToSign(Flag.SIGN);
            pushCarry(lane, p, q, once);
            if (isTwice) {
                code.iload(once).iload(sum);
                lane.invert();
                code.iand().ixor();
            }
            lane.flags().setToSign(Flag.CARRY);
            pushOverflow(lane, p, q, sum);
            lane.flags().setToSign(Flag.OVERFLOW);
        }
        code.iload(result);
        lane.setInt(i.result);
    }

    /// Pushes a word whose sign is set if a sum of two local variables has a carry.
    private static void pushCarry(LaneCode lane, int p, int q, int sum) {
        CodeBuilder code = lane.code();
        code.iload(p).iload(q).iand().iload(p).iload(q).ior().iload(sum);
        lane.invert();
        code.iand().ior();
    }

    /// Pushes a word whose sign is set if a sum of two local variables overflows.
    private static void pushOverflow(LaneCode lane, int p, int q, int sum) {
        lane.code().iload(p).iload(sum).ixor().iload(q).iload(sum).ixor().iand();
    }

    /// Pops a word whose sign is set if a sum overflows; pushes the sum, or the nearest integer.
    private static void clamp(LaneCode lane, int sum) {
        CodeBuilder code = lane.code();
        code.bipush(SIGN_BIT).ishr();
        int isOver = lane.store();
        code.iload(sum).bipush(SIGN_BIT).ishr();
        lane.push(Integer.MIN_VALUE);
        code.ixor();
        int nearest = lane.store();
        code.iload(isOver);
        lane.choose(nearest, sum);
    }
}
