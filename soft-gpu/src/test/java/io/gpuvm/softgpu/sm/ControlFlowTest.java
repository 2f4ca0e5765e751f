package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.ConditionCode;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of branches, loops, calls and diverging lanes. Register 0 contains the lane's number,
/// register 1 the result.
class ControlFlowTest {
    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    /// Returns code that starts with the lane's number in register 0.
    private static Code start() {
        return new Code()
                .add(
                        Opcode.S2R,
                        Field.DST,
                        0,
                        Field.SPECIAL_REGISTER,
                        SpecialRegister.LANEID.code());
    }

    private static Code plus(Code code, int register, int value) {
        return code.add(
                Opcode.IADD, Field.DST, register, Field.SRC_A, register, Field.IMMEDIATE, value);
    }

    private static Code compare(
            Code code, int predicate, int register, Comparison comparison, int value) {
        return code.add(
                Opcode.ISETP,
                Field.PDST,
                predicate,
                Field.PDST_2,
                7,
                Field.PSRC,
                7,
                Field.SRC_A,
                register,
                Field.IMMEDIATE,
                value,
                Field.COMPARISON,
                comparison.ordinal(),
                Field.SIGNED,
                1);
    }

    private void expect(Code code, IntUnaryOperator ofLane) {
        sm.code(code).run();
        assertArrayEquals(IntStream.range(0, 32).map(ofLane).toArray(), sm.register(1));
    }

    @Test
    void givenTwoSidesOfCondition_whenRun_thenLanesJoinAfterwards() {
        Code code = compare(start(), 0, 0, Comparison.LT, 5);
        code.to("join", Opcode.SSY).when(0).to("then", Opcode.BRA);
        plus(code, 1, 100).joining();
        code.add(Opcode.NOP);
        plus(code.label("then"), 1, 1).joining().add(Opcode.NOP);
        plus(code.label("join"), 1, 1000).exit();
        expect(code, lane -> lane < 5 ? 1001 : 1100);
    }

    @Test
    void givenJoinUnderPredicate_whenRun_thenOnlyLanesOfPredicateWaitAtJoin() {
        Code code = compare(start(), 0, 0, Comparison.GE, 7);
        code.to("join", Opcode.SSY).when(0).joining().add(Opcode.NOP);
        plus(code, 1, 10);
        plus(code, 1, 10).joining().add(Opcode.NOP);
        code.label("join").add(Opcode.VOTE, Field.DST, 2, Field.PDST, 7, Field.PSRC, 7).exit();
        expect(code, lane -> lane < 7 ? 20 : 0);
        assertArrayEquals(TestSm.filled(-1), sm.register(2));
    }

    @Test
    void givenLoopWithBreak_whenRun_thenEachLaneHasOwnNumberOfIterations() {
        Code code = start().to("end", Opcode.PBK).label("loop");
        compare(code, 0, 1, Comparison.GE, 0);
        code.add(
                Opcode.ISETP,
                Field.PDST,
                0,
                Field.PDST_2,
                7,
                Field.PSRC,
                7,
                Field.SRC_A,
                1,
                Field.SRC_B,
                0,
                Field.COMPARISON,
                Comparison.GE.ordinal());
        code.when(0).add(Opcode.BRK);
        plus(code, 1, 1).to("loop", Opcode.BRA);
        plus(code.label("end"), 1, 500);
        code.add(Opcode.VOTE, Field.DST, 2, Field.PDST, 7, Field.PSRC, 7).exit();
        expect(code, lane -> lane + 500);
        assertArrayEquals(TestSm.filled(-1), sm.register(2));
    }

    @Test
    void givenBreakInsideCondition_whenRun_thenOnlyBreakingLanesLeaveLoop() {
        // for (;;) { if (lane odd) { if (r1 >= 9) break; r1 += 2; } else if (r1 >= 4) break; r1++ }
        Code code = start();
        code.add(Opcode.LOP, Field.DST, 3, Field.SRC_A, 0, Field.IMMEDIATE, 1);
        compare(code, 0, 3, Comparison.EQ, 0);
        code.to("end", Opcode.PBK).label("loop").to("join", Opcode.SSY);
        code.when(0).to("even", Opcode.BRA);
        compare(code, 1, 1, Comparison.GE, 9).when(1).add(Opcode.BRK);
        plus(code, 1, 2).joining().add(Opcode.NOP).label("even");
        compare(code, 1, 1, Comparison.GE, 4).when(1).add(Opcode.BRK);
        code.joining().add(Opcode.NOP).label("join");
        plus(code, 1, 1).to("loop", Opcode.BRA);
        plus(code.label("end"), 1, 100).exit();
        expect(code, lane -> lane % 2 == 1 ? 109 : 104);
    }

    @Test
    void givenContinue_whenRun_thenRestOfIterationIsSkipped() {
        // for (r2 = 0; r2 < 10; ) { r2++; if (r2 > lane) continue; r1++; }
        Code code = start().to("end", Opcode.PBK).label("loop").to("next", Opcode.PCNT);
        plus(code, 2, 1);
        code.add(
                Opcode.ISETP,
                Field.PDST,
                0,
                Field.PDST_2,
                7,
                Field.PSRC,
                7,
                Field.SRC_A,
                2,
                Field.SRC_B,
                0,
                Field.COMPARISON,
                Comparison.GT.ordinal());
        code.when(0).add(Opcode.CONT);
        plus(code, 1, 1).add(Opcode.CONT).label("next");
        compare(code, 0, 2, Comparison.GE, 10).when(0).add(Opcode.BRK);
        code.to("loop", Opcode.BRA).label("end").exit();
        expect(code, lane -> Math.min(lane, 10));
    }

    @Test
    void givenNestedConditions_whenRun_thenEachLaneTakesOwnPath() {
        Code code = start();
        code.add(Opcode.LOP, Field.DST, 3, Field.SRC_A, 0, Field.IMMEDIATE, 1);
        compare(code, 0, 3, Comparison.EQ, 0);
        compare(code, 1, 0, Comparison.LT, 16);
        code.to("outer", Opcode.SSY).when(0).to("even", Opcode.BRA);
        code.to("inner", Opcode.SSY).when(1).to("low", Opcode.BRA);
        plus(code, 1, 1).joining().add(Opcode.NOP);
        plus(code.label("low"), 1, 2).joining().add(Opcode.NOP);
        plus(code.label("inner"), 1, 10).joining().add(Opcode.NOP);
        plus(code.label("even"), 1, 4).joining().add(Opcode.NOP);
        plus(code.label("outer"), 1, 100).exit();
        expect(code, lane -> 100 + (lane % 2 == 0 ? 4 : lane < 16 ? 12 : 11));
    }

    @Test
    void givenDivergentCall_whenSomeLanesReturnEarly_thenAllLanesContinueAfterCall() {
        Code code = start().to("function", Opcode.CAL);
        plus(code, 1, 1000).exit().label("function");
        compare(code, 0, 0, Comparison.LT, 9).when(0).add(Opcode.RET);
        plus(code, 1, 1);
        compare(code, 0, 0, Comparison.LT, 20).when(0).add(Opcode.RET);
        plus(code, 1, 1).add(Opcode.RET);
        expect(code, lane -> 1000 + (lane < 9 ? 0 : lane < 20 ? 1 : 2));
    }

    @Test
    void givenRecursion_whenRun_thenCallsReturnOnlyIfStackSuffices() {
        Code code = start().load(2, 100).to("function", Opcode.CAL).exit().label("function");
        plus(code, 1, 1);
        plus(code, 2, -1);
        compare(code, 0, 2, Comparison.LE, 0).when(0).add(Opcode.RET);
        code.to("function", Opcode.CAL).add(Opcode.RET);
        sm.callStackBytes(0x800);
        expect(code, _ -> 100);
        sm.callStackBytes(0);
        SmTrap trap = sm.runToTrap();
        assertEquals(WarpError.STACK_ERROR, ((SmTrap.InstructionError) trap).error());
    }

    @Test
    void givenPushedReturn_whenBranchEntersFunction_thenFunctionReturnsToPushedAddress() {
        Code code = start().to("back", Opcode.PRET).to("function", Opcode.BRA);
        code.label("function");
        plus(code, 1, 3).add(Opcode.RET);
        plus(code.label("back"), 1, 4).exit();
        expect(code, _ -> 7);
    }

    @Test
    void givenIndirectBranchWithDifferentTargets_whenRun_thenEachLaneReachesOwnTarget() {
        Code code = start();
        code.add(Opcode.LOP, Field.DST, 2, Field.SRC_A, 0, Field.IMMEDIATE, 3);
        code.add(Opcode.SHL, Field.DST, 2, Field.SRC_A, 2, Field.IMMEDIATE, 4);
        code.to("join", Opcode.SSY).to("table", Opcode.BRX, Field.SRC_A, 2).label("table");
        for (int n = 0; n < 4; n++) {
            plus(code, 1, 10 + n).joining().add(Opcode.NOP);
        }
        plus(code.label("join"), 1, 100).exit();
        expect(code, lane -> 110 + lane % 4);
    }

    @Test
    void givenExitedLanes_whenOtherLanesContinue_thenOtherLanesAreUnaffected() {
        Code code = compare(start(), 0, 0, Comparison.LT, 3).load(1, 1);
        code.when(0).exit().load(1, 2).to("join", Opcode.SSY);
        compare(code, 0, 0, Comparison.LT, 8).when(0).exit().load(1, 3);
        code.joining().add(Opcode.NOP).label("join").load(1, 4).exit();
        expect(code, lane -> lane < 3 ? 1 : lane < 8 ? 2 : 4);
    }

    @Test
    void givenBranchOnConditionCode_whenRun_thenConditionIsTestedLaneByLane() {
        Code code = start();
        code.add(Opcode.IADD, Field.DST, 63, Field.SRC_A, 0, Field.IMMEDIATE, -6, Field.CC_OUT, 1);
        code.to("join", Opcode.SSY);
        code.to("then", Opcode.BRA, Field.CONDITION, ConditionCode.LT.ordinal());
        plus(code, 1, 1).joining().add(Opcode.NOP);
        plus(code.label("then"), 1, 2).joining().add(Opcode.NOP).label("join").exit();
        expect(code, lane -> lane < 6 ? 2 : 1);
    }

    @Test
    void givenUniformBranchWithDifferentPredicates_whenRun_thenNoLaneTakesBranch() {
        Code code = compare(start(), 0, 0, Comparison.LT, 31);
        code.when(0).to("away", Opcode.BRA, Field.UNIFORM, 1);
        plus(code, 1, 1);
        compare(code, 0, 0, Comparison.LT, 32);
        code.when(0).to("away", Opcode.BRA, Field.UNIFORM, 1);
        plus(code, 1, 10).label("away").exit();
        expect(code, _ -> 1);
    }

    @Test
    void givenEmptyStack_whenPopped_thenStackErrorIsReported() {
        assertEquals(WarpError.RET_EMPTY_STACK_ERROR, errorOf(new Code().add(Opcode.RET)));
        assertEquals(WarpError.STACK_ERROR, errorOf(new Code().add(Opcode.BRK)));
        assertEquals(WarpError.STACK_ERROR, errorOf(new Code().joining().add(Opcode.NOP)));
        Code loop = new Code().to("end", Opcode.PBK).joining().add(Opcode.NOP).label("end");
        assertEquals(WarpError.STACK_ERROR, errorOf(loop.exit()));
    }

    @Test
    void givenEndlessPushes_whenRun_thenStackErrorIsReported() {
        Code code = new Code().label("loop").to("loop", Opcode.SSY).to("loop", Opcode.BRA);
        assertEquals(WarpError.STACK_ERROR, errorOf(code));
    }

    private WarpError errorOf(Code code) {
        return ((SmTrap.InstructionError) sm.code(code).runToTrap()).error();
    }
}
