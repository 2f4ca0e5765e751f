package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.OperandKind;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;
import java.util.stream.IntStream;

/// Emitter of conversions of predicates, or of the condition code, to words and back: P2R and R2P.
final class FlagWordEmitter implements LaneEmitter {
    private static final int PREDICATES = 7;
    private static final int CONDITIONS = 4;

    /// Cost per flag.
    private static final int COST = 8;

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case P2R, R2P -> COST * count(i);
            default -> 0;
        };
    }

    @Override
    public boolean isVector(Instruction i) {
        return false;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int word = lane.store();
        SourceOperands.pushSecond(i, lane);
        int names = lane.store();
        if (i.opcode == Opcode.R2P) {
            wordToFlags(i, lane, word, names);
        } else {
            flagsToWord(i, lane, word, names);
        }
    }

    /// Copies the selected bits from flags and the other bits from the word.
    private static void flagsToWord(Instruction i, LaneCode lane, int word, int names) {
        CodeBuilder code = lane.code();
        lane.push(0);
        for (int bit : bits(i)) {
            lane.flags().push(flag(i, bit), 0);
            lane.push(1 << bit);
            code.iand().ior();
        }
        int flags = lane.store();
        code.iload(names);
        lane.choose(flags, word);
        lane.setInt(i.result);
    }

    /// Sets the selected flags to the word's bits.
    private static void wordToFlags(Instruction i, LaneCode lane, int word, int names) {
        for (int bit : bits(i)) {
            pushBit(lane, word, bit);
            int fresh = lane.store();
            lane.flags().push(flag(i, bit), 0);
            int former = lane.store();
            pushBit(lane, names, bit);
            lane.choose(fresh, former);
            lane.flags().set(flag(i, bit));
        }
    }

    /// Pushes -1 if a bit is set, else 0.
    private static void pushBit(LaneCode lane, int word, int bit) {
        CodeBuilder code = lane.code();
        code.iload(word).bipush(Integer.SIZE - 1 - bit).ishl().bipush(Integer.SIZE - 1).ishr();
    }

    /// Returns the bits that the instruction may select.
    private static int[] bits(Instruction i) {
        boolean byNumber = i.kindB == OperandKind.IMMEDIATE;
        return IntStream.range(0, count(i))
                .filter(bit -> !byNumber || (i.immediate >>> bit & 1) != 0)
                .toArray();
    }

    private static int count(Instruction i) {
        return i.is(Field.FLAGS_HIGH) ? CONDITIONS : PREDICATES;
    }

    /// Returns the flag that a bit represents.
    private static int flag(Instruction i, int bit) {
        return i.is(Field.FLAGS_HIGH) ? Flag.ZERO + bit : bit;
    }
}
