package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.BarrierOp;
import io.gpuvm.gf100.isa.Comparison;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.softgpu.sm.code.Rows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Warps of a block that wait for each other at barriers.
class BarrierTest {
    private static final int B32 = MemorySize.B32.ordinal();
    private static final int THREADS = 256;

    private final TestSm sm = new TestSm().block(THREADS, 1, 1).sharedBytes(4 * THREADS);

    @AfterEach
    void close() {
        sm.close();
    }

    /// Returns code that sets register 0 to the thread's number, register 1 to four times this
    /// number, and register 2 to the warp's number.
    private static Code start() {
        return new Code()
                .add(Opcode.S2R, Field.DST, 0, Field.SPECIAL_REGISTER, SpecialRegister.TID_X.code())
                .add(Opcode.SHL, Field.DST, 1, Field.SRC_A, 0, Field.IMMEDIATE, 2)
                .add(Opcode.SHR, Field.DST, 2, Field.SRC_A, 0, Field.IMMEDIATE, 5);
    }

    private static Code sync(Code code) {
        return sync(code, 0, 63, 7, 7, BarrierOp.POPC);
    }

    private static Code sync(
            Code code, int number, int result, int presult, int predicate, BarrierOp op) {
        return code.add(
                Opcode.BAR,
                Field.BARRIER,
                number,
                Field.THREADS_REGISTER,
                63,
                Field.DST,
                result,
                Field.PDST,
                presult,
                Field.PSRC,
                predicate,
                Field.BARRIER_OP,
                op.code());
    }

    private static Code isLess(Code code, int predicate, int register, int value) {
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
                Comparison.LT.ordinal());
    }

    @Test
    void givenBarrierInLoop_whenRun_thenEveryIterationReadsPreviousResults() {
        // Eight times: shared[t] = shared[(t + 32) % 256] + 1, with a barrier before each access.
        Code code = start();
        code.add(Opcode.STS, Field.SRC_A, 1, Field.DATA, 0, Field.SIZE, B32);
        code.add(Opcode.IADD, Field.DST, 4, Field.SRC_A, 1, Field.IMMEDIATE, 128);
        code.add(Opcode.LOP, Field.DST, 4, Field.SRC_A, 4, Field.IMMEDIATE, 1023);
        sync(code.label("loop"));
        code.add(Opcode.LDS, Field.DST, 5, Field.SRC_A, 4, Field.SIZE, B32);
        code.add(Opcode.IADD, Field.DST, 5, Field.SRC_A, 5, Field.IMMEDIATE, 1);
        sync(code);
        code.add(Opcode.STS, Field.SRC_A, 1, Field.DATA, 5, Field.SIZE, B32);
        code.add(Opcode.IADD, Field.DST, 6, Field.SRC_A, 6, Field.IMMEDIATE, 1);
        isLess(code, 0, 6, 8).when(0).to("loop", Opcode.BRA).exit();
        sm.code(code).run();
        for (int warp = 0; warp < THREADS / 32; warp++) {
            for (int lane = 0; lane < 32; lane++) {
                assertEquals(warp * 32 + lane + 8, sm.register(warp, 5)[lane]);
            }
        }
    }

    @Test
    void givenPredicatesAtBarrier_whenCombined_thenEveryThreadHasResult() {
        Code code = isLess(start(), 0, 0, 100);
        sync(code, 1, 4, 1, 0, BarrierOp.POPC);
        sync(code, 2, 5, 2, 0, BarrierOp.AND);
        sync(code, 3, 6, 3, 0, BarrierOp.OR);
        sm.code(code.exit()).run();
        for (int warp = 0; warp < THREADS / 32; warp++) {
            assertArrayEquals(TestSm.filled(100), sm.register(warp, 4));
            assertArrayEquals(TestSm.filled(0), sm.register(warp, 5));
            assertArrayEquals(TestSm.filled(-1), sm.register(warp, 6));
        }
        assertEquals(0, sm.predicate(2));
        assertEquals(-1, sm.predicate(3));
    }

    @Test
    void givenExitingWarp_whenOtherWarpsWait_thenOtherWarpsContinue() {
        Code code = isLess(start(), 0, 0, 32);
        code.when(0).exit();
        sync(code);
        sm.code(code.load(3, 1).exit()).run();
        assertArrayEquals(TestSm.filled(0), sm.register(0, 3));
        assertArrayEquals(TestSm.filled(1), sm.register(7, 3));
    }

    @Test
    void givenWarpThatOnlyArrives_whenRun_thenWarpDoesNotWait() {
        // Warp 0 arrives at barrier 1 and exits; the other warps wait there for all 256 threads.
        Code code = isLess(start(), 0, 0, 32);
        code.when(0)
                .add(
                        Opcode.BAR,
                        Field.BARRIER,
                        1,
                        Field.THREADS,
                        THREADS,
                        Field.DST,
                        63,
                        Field.PDST,
                        7,
                        Field.PSRC,
                        7,
                        Field.BARRIER_OP,
                        BarrierOp.ARRIVE.code());
        code.when(0).exit();
        code.add(
                Opcode.BAR,
                Field.BARRIER,
                1,
                Field.THREADS,
                THREADS,
                Field.DST,
                63,
                Field.PDST,
                7,
                Field.PSRC,
                7,
                Field.BARRIER_OP,
                BarrierOp.POPC.code());
        sm.code(code.load(3, 1).exit()).run();
        assertArrayEquals(TestSm.filled(1), sm.register(7, 3));
    }

    @Test
    void givenWarpSpinningOnOtherWarp_whenRun_thenOtherWarpGetsTurn() {
        // Warp 0 spins until shared[0] is set by the last warp.
        Code code = isLess(start(), 0, 0, 32).unless(0).to("setter", Opcode.BRA);
        code.label("spin").add(Opcode.LDS, Field.DST, 5, Field.SRC_A, 63, Field.SIZE, B32);
        isLess(code, 1, 5, 224).when(1).to("spin", Opcode.BRA).exit();
        code.label("setter").add(Opcode.STS, Field.SRC_A, 63, Field.DATA, 0, Field.SIZE, B32);
        sm.code(code.exit()).run();
    }

    @Test
    void givenBarrierThatNoWarpCompletes_whenRun_thenBlockHangs() {
        Code code = isLess(start(), 0, 0, 32);
        code.when(0)
                .add(
                        Opcode.BAR,
                        Field.BARRIER,
                        5,
                        Field.THREADS,
                        64,
                        Field.DST,
                        63,
                        Field.PDST,
                        7,
                        Field.PSRC,
                        7);
        sm.code(code.exit()).load().begin(0);
        assertEquals(Outcome.STOPPED, sm.finish());
        assertEquals(Outcome.STOPPED, sm.finish());
        assertEquals(new Dimensions(0, 0, 0), sm.sm.position().block());
        sm.sm.abandon();
        sm.code(new Code().exit()).run();
    }

    @Test
    void givenBarrierOutsideBlock_whenRun_thenErrorIsReported() {
        Code code =
                new Code()
                        .load(2, 16)
                        .add(
                                Opcode.BAR,
                                Field.BARRIER_REGISTER,
                                2,
                                Field.THREADS_REGISTER,
                                63,
                                Field.DST,
                                63,
                                Field.PDST,
                                7,
                                Field.PSRC,
                                7);
        SmTrap trap = sm.code(code.exit()).runToTrap();
        assertEquals(WarpError.ILLEGAL_INSTR_PARAM, ((SmTrap.InstructionError) trap).error());
    }

    /// Formally a race, but harmless on hardware: after the barrier, every warp has read the word
    /// long before the first warp reaches the store.
    @Test
    void givenWordReadEarlyAndOverwrittenLate_whenRun_thenEveryWarpReadsOldValue() {
        Code code = start().load(3, 0).load(4, 99);
        sync(code);
        code.add(Opcode.LDS, Field.DST, 5, Field.SRC_A, 3, Field.SIZE, B32);
        for (int i = 0; i < 50; i++) {
            code.add(Opcode.NOP);
        }
        code.add(Opcode.STS, Field.SRC_A, 3, Field.DATA, 4, Field.SIZE, B32).exit();
        sm.code(code).run();
        for (int warp = 0; warp < THREADS / Rows.LANES; warp++) {
            assertArrayEquals(new int[Rows.LANES], sm.register(warp, 5), "warp=" + warp);
        }
    }
}
