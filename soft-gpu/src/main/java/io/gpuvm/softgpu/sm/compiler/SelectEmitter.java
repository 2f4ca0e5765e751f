package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.LogicOp;
import io.gpuvm.softgpu.sm.alu.Comparisons;
import io.gpuvm.softgpu.sm.code.Instruction;
import java.lang.classfile.CodeBuilder;

/// Emitter of moves, comparisons of integers, and selections by comparisons and predicates.
final class SelectEmitter implements LaneEmitter {
    private static final LogicOp[] LOGIC = LogicOp.values();
    private static final int EVERY_QUAD_LANE = 0xf;
    private static final int COMPARISON = 8;
    private static final int FLAGS = 5;
    private static final int PARTLY = 6;

    /// Mode of the highest word of a wide minimum.
    private static final int HIGHEST_WORD = 3;

    /// Mask of the first lane of each quad.
    private static final int QUADS = 0x1111_1111;

    @Override
    public int cost(Instruction i) {
        return switch (i.opcode) {
            case MOV, MOV32I -> i.mode == EVERY_QUAD_LANE ? 1 : PARTLY;
            case LEPC, B2R -> 1;
            case SEL -> 2;
            case ISETP -> comparisonCost(i) + 2;
            case ISET -> comparisonCost(i) + 3 + flagsCost(i);
            case IMNMX -> COMPARISON + 2 + (i.mode == 0 ? flagsCost(i) : PARTLY);
            case ICMP -> COMPARISON + 2;
            case PSETP, CSETP -> 4;
            case PSET, CSET -> 5 + flagsCost(i);
            default -> 0;
        };
    }

    private static int comparisonCost(Instruction i) {
        return i.carryIn ? 2 * COMPARISON : COMPARISON;
    }

    private static int flagsCost(Instruction i) {
        return i.setsConditions ? FLAGS : 0;
    }

    @Override
    public void emit(Instruction i, LaneCode lane) {
        switch (i.opcode) {
            case SEL -> {
                lane.pushInt(i.a);
                int yes = lane.store();
                SourceOperands.pushSecond(i, lane);
                int no = lane.store();
                lane.flags().push(i.psrc, i.psrcFlip);
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
            case PSET -> {
                pushInner(i, lane);
                TruthWriter.setWord(i, lane);
            }
            case CSETP -> {
                lane.flags().pushTest(i.mode);
                TruthWriter.setPredicates(i, lane, lane.store());
            }
            case CSET -> {
                lane.flags().pushTest(i.mode);
                TruthWriter.setWord(i, lane);
            }
            case IMNMX -> {
                if (i.mode == 0) {
                    lesser(i, lane);
                } else {
                    lesserPart(i, lane);
                }
            }
            case LEPC -> {
                lane.push(i.pc);
                lane.setInt(i.result);
            }
            case B2R -> {
                lane.push(0);
                lane.setInt(i.result);
            }
            case ICMP -> choose(i, lane);
            default -> move(i, lane);
        }
    }

    private static void move(Instruction i, LaneCode lane) {
        SourceOperands.pushSecond(i, lane);
        if (i.mode != EVERY_QUAD_LANE) {
            int fresh = lane.store();
            lane.pushInt(i.result);
            int former = lane.store();
            lane.rows().pushIsAmong(i.mode * QUADS);
            lane.choose(fresh, former);
        }
        lane.setInt(i.result);
    }

    private static void pushComparison(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int x = lane.store();
        SourceOperands.pushSecond(i, lane);
        int y = lane.store();
        if (i.carryIn) {
            pushFurtherRelation(i, lane, x, y);
        } else {
            pushRelation(lane, x, y, i.comparison, i.isSigned);
        }
    }

    /// Pushes -1 if two numbers satisfy the comparison, otherwise 0: from their upper words, and
    /// from the difference of their lower words, which is in the condition code.
    private static void pushFurtherRelation(Instruction i, LaneCode lane, int x, int y) {
        CodeBuilder code = lane.code();
        lane.pushLess(x, y, i.isSigned);
        code.iload(x).iload(y).ixor();
        lane.spread();
        lane.invert();
        lane.flags().push(Flag.CARRY, -1);
        code.iand().ior();
        int less = lane.store();
        // The difference of the words, minus the borrow of the lower words: a missing carry
        // subtracts 1.
        code.iload(x).iload(y).isub().iconst_1().isub();
        lane.flags().push(Flag.CARRY, 0);
        code.isub();
        lane.spread();
        code.iload(less).ior();
        lane.invert();
        lane.flags().push(Flag.ZERO, 0);
        code.iand();
        int equal = lane.store();
        lane.push(0);
        if ((i.comparison & Comparisons.LESS) != 0) {
            code.iload(less).ior();
        }
        if ((i.comparison & Comparisons.EQUAL) != 0) {
            code.iload(equal).ior();
        }
        if ((i.comparison & Comparisons.GREATER) != 0) {
            code.iload(less).iload(equal).ior();
            lane.invert();
            code.ior();
        }
    }

    /// Pushes -1 if two local variables satisfy the comparison, otherwise 0.
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

    /// Pushes the combination of the first two predicates of PSET or PSETP.
    private static void pushInner(Instruction i, LaneCode lane) {
        pushPredicate(i, lane, Field.PSRC_A, Field.PSRC_A_NOT);
        pushPredicate(i, lane, Field.PSRC_B, Field.PSRC_B_NOT);
        lane.combine(LOGIC[i.field(Field.LOGIC_INNER, 0)]);
    }

    private static void pushPredicate(Instruction i, LaneCode lane, Field number, Field not) {
        lane.flags().push(i.field(number, Flag.TRUE), i.is(not) ? -1 : 0);
    }

    private static void lesser(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int x = lane.store();
        SourceOperands.pushSecond(i, lane);
        int y = lane.store();
        lane.pushLess(x, y, i.isSigned);
        lane.flags().push(i.psrc, ~i.psrcFlip);
        lane.code().ixor();
        lane.choose(x, y);
        TruthWriter.finish(i, lane);
    }

    /// Computes one word of the minimum or maximum of multi-word numbers, as selected by
    /// [io.gpuvm.softgpu.sm.code.Instruction#mode]; the highest word comes first. The zero flag
    /// records that the higher words were equal, the sign flag that the first operand is less.
    private static void lesserPart(Instruction i, LaneCode lane) {
        CodeBuilder code = lane.code();
        boolean isHighest = i.mode == HIGHEST_WORD;
        lane.pushInt(i.a);
        int x = lane.store();
        SourceOperands.pushSecond(i, lane);
        int y = lane.store();
        lane.pushLess(x, y, isHighest && i.isSigned);
        int below = lane.store();
        code.iload(x).iload(y).ixor();
        lane.spread();
        lane.invert();
        int equal = lane.store();
        int less = below;
        if (!isHighest) {
            lane.flags().push(Flag.SIGN, 0);
            int former = lane.store();
            lane.flags().push(Flag.ZERO, 0);
            lane.choose(below, former);
            less = lane.store();
            code.iload(equal);
            lane.flags().push(Flag.ZERO, 0);
            code.iand();
            equal = lane.store();
        }
        code.iload(less);
        lane.flags().push(i.psrc, ~i.psrcFlip);
        code.ixor();
        lane.choose(x, y);
        int result = lane.store();
        if (i.setsConditions) {
            code.iload(equal);
            lane.flags().set(Flag.ZERO);
            code.iload(less);
            lane.flags().set(Flag.SIGN);
            lane.push(0);
            lane.flags().set(Flag.CARRY);
            lane.push(0);
            lane.flags().set(Flag.OVERFLOW);
        }
        code.iload(result);
        lane.setInt(i.result);
    }

    private static void choose(Instruction i, LaneCode lane) {
        lane.pushInt(i.a);
        int yes = lane.store();
        SourceOperands.pushSecond(i, lane);
        int no = lane.store();
        SourceOperands.pushThird(i, lane);
        int word = lane.store();
        lane.push(0);
        int zero = lane.store();
        pushRelation(lane, word, zero, i.comparison, i.isSigned);
        lane.choose(yes, no);
        lane.setInt(i.result);
    }
}
