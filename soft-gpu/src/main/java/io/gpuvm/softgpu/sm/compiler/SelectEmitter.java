package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.softgpu.sm.alu.Comparisons;
import io.gpuvm.softgpu.sm.code.Instruction;

/// Moves, comparisons of integers, and what is chosen by comparisons and predicates.
final class SelectEmitter implements LaneEmitter {
    private static final LogicOp[] LOGIC = LogicOp.values();
    private static final int EVERY_QUAD_LANE = 0xf;
    private static final int COMPARISON = 8;
    private static final int FLAGS = 5;

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case MOV, MOV32I -> i.mode == EVERY_QUAD_LANE ? 1 : 0;
            case SEL -> 2;
            case ISETP -> i.carryIn ? 0 : COMPARISON + 2;
            case ISET -> i.carryIn ? 0 : COMPARISON + 3 + (i.setsConditions ? FLAGS : 0);
            case IMNMX -> i.mode == 0 ? COMPARISON + 2 + (i.setsConditions ? FLAGS : 0) : 0;
            case ICMP -> COMPARISON + 2;
            case PSETP -> 4;
            default -> 0;
        };
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case SEL -> {
                lane.pushInt(i.a);
                int yes = lane.store();
                lane.pushSecond(i);
                int no = lane.store();
                lane.pushFlag(i.psrc, i.psrcFlip);
                lane.choose(yes, no);
                lane.setInt(i.result);
            }
            case ISETP -> {
                pushComparison(i, lane);
                TruthWriter.setPredicates(i, lane, lane.store());
            }
            case PSETP -> {
                pushInner(i, lane);
                TruthWriter.setPredicates(i, lane, lane.store());
            }
            case ISET -> {
                pushComparison(i, lane);
                TruthWriter.setWord(i, lane);
            }
            case IMNMX -> lesser(i, lane);
            case ICMP -> choose(i, lane);
            default -> {
                lane.pushSecond(i);
                lane.setInt(i.result);
            }
        }
    }

    private static void pushComparison(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int x = lane.store();
        lane.pushSecond(i);
        int y = lane.store();
        pushRelation(lane, x, y, i.comparison, i.isSigned);
    }

    /// Pushes -1 if two local variables compare as asked, else 0.
    ///
    /// @param wanted bits of [Comparisons]
    private static void pushRelation(LaneCode lane, int x, int y, int wanted, boolean isSigned) {
        int less = Comparisons.LESS;
        int equal = Comparisons.EQUAL;
        int greater = Comparisons.GREATER;
        int relation = wanted & (less | equal | greater);
        if (relation == 0 || relation == (less | equal | greater)) {
            lane.push(relation == 0 ? 0 : -1);
        } else if (relation == equal || relation == (less | greater)) {
            lane.code().iload(x).iload(y).ixor();
            lane.spread();
            if (relation == equal) {
                lane.invert();
            }
        } else {
            boolean isSwapped = relation == greater || relation == (less | equal);
            lane.pushLess(isSwapped ? y : x, isSwapped ? x : y, isSigned);
            if (relation != less && relation != greater) {
                lane.invert();
            }
        }
    }

    /// Pushes what the two predicates of PSETP come to.
    private static void pushInner(Instruction i, LaneCode lane) {
        pushPredicate(i, lane, Field.PSRC_A, Field.PSRC_A_NOT);
        pushPredicate(i, lane, Field.PSRC_B, Field.PSRC_B_NOT);
        lane.combine(LOGIC[i.field(Field.LOGIC_INNER, 0)]);
    }

    private static void pushPredicate(Instruction i, LaneCode lane, Field number, Field not) {
        lane.pushFlag(i.field(number, Flag.TRUE), i.is(not) ? -1 : 0);
    }

    private static void lesser(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int x = lane.store();
        lane.pushSecond(i);
        int y = lane.store();
        lane.pushLess(x, y, i.isSigned);
        lane.pushFlag(i.psrc, ~i.psrcFlip);
        lane.code().ixor();
        lane.choose(x, y);
        TruthWriter.finish(i, lane);
    }

    private static void choose(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int yes = lane.store();
        lane.pushSecond(i);
        int no = lane.store();
        lane.pushThird(i);
        int word = lane.store();
        lane.push(0);
        int zero = lane.store();
        pushRelation(lane, word, zero, i.comparison, i.isSigned);
        lane.choose(yes, no);
        lane.setInt(i.result);
    }
}
