package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.WarpError;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Kernels that fail, and kernels that are stopped.
class TrapTest {
    private static final int B32 = MemorySize.B32.ordinal();
    private static final long ILLEGAL = -1;

    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    private WarpError errorOf(Code code) {
        return assertInstanceOf(SmTrap.InstructionError.class, sm.code(code.exit()).runToTrap())
                .error();
    }

    @Test
    void givenIllegalWord_whenRun_thenReportHasPositionAndWord() {
        sm.code(new Code().load(1, 1).add(ILLEGAL).exit()).block(8, 4, 2).grid(3, 5, 2);
        sm.load().begin(3 * 5 + 3 + 2);
        assertEquals(Outcome.TRAPPED, sm.finish());
        Position position = sm.sm.trap().position();
        assertEquals(8, position.codeOffset());
        assertEquals(ILLEGAL, position.word());
        assertEquals(new Dimensions(2, 1, 1), position.block());
        assertEquals(new Dimensions(0, 0, 0), position.thread());
        sm.code(new Code().load(1, 5).exit()).run();
        assertEquals(5, sm.register(1)[0]);
    }

    @Test
    void givenUnmappedAddress_whenAccessed_thenFaultHasAddressAndThread() {
        int[] low = new int[32];
        java.util.Arrays.fill(low, (int) TestSm.DATA);
        low[11] = 0x1230;
        sm.set(2, low).set(3, (int) (TestSm.DATA >>> 32)).block(64, 1, 1);
        Code code = new Code();
        code.add(Opcode.ST, Field.EXTENDED, 1, Field.DATA, 4, Field.SRC_A, 2, Field.SIZE, B32);
        SmTrap.MemoryFault fault =
                assertInstanceOf(SmTrap.MemoryFault.class, sm.code(code.exit()).runToTrap());
        assertEquals(FaultReason.PAGE_TABLE_NOT_PRESENT, fault.reason());
        assertEquals(TestSm.DATA >>> 32 << 32 | 0x1230, fault.gpuVa());
        assertTrue(fault.isWrite());
        assertEquals(new Dimensions(11, 0, 0), fault.position().thread());
        assertEquals(0, fault.position().codeOffset());
    }

    @Test
    void givenReadOnlyPage_whenAtomicallyChanged_thenFaultIsReported() {
        long entry = PageTableEntry.of(MemoryTarget.VRAM, 0x10_0000);
        sm.tables.entry(PageSize.SMALL_4K, TestSm.DATA, PageTableEntry.readOnly(entry));
        Code code = new Code();
        code.add(Opcode.RED, Field.EXTENDED, 1, Field.DATA, 4, Field.SRC_A, 2);
        sm.address(2, TestSm.DATA).code(code.exit());
        SmTrap.MemoryFault fault = assertInstanceOf(SmTrap.MemoryFault.class, sm.runToTrap());
        assertEquals(FaultReason.PAGE_READ_ONLY, fault.reason());
    }

    @Test
    void givenBranchOutOfCode_whenRun_thenFetchFaults() {
        Code code = new Code().add(Opcode.JMP, Field.TARGET, 0x100_0000);
        SmTrap.MemoryFault fault =
                assertInstanceOf(SmTrap.MemoryFault.class, sm.code(code).runToTrap());
        assertEquals(0x100_0000, fault.position().codeOffset());
        assertEquals(0, fault.position().word());
    }

    @Test
    void givenMisalignedAccesses_whenRun_thenEachAccessHasOwnError() {
        sm.address(2, TestSm.DATA + 2);
        Code global = new Code();
        global.add(Opcode.LD, Field.EXTENDED, 1, Field.DST, 1, Field.SRC_A, 2, Field.SIZE, B32);
        assertEquals(WarpError.MISALIGNED_ADDR, errorOf(global));
        Code shared = new Code();
        shared.add(Opcode.LDS, Field.DST, 1, Field.SRC_A, 63, Field.OFFSET, 1, Field.SIZE, B32);
        assertEquals(WarpError.MISALIGNED_ADDR, errorOf(shared));
        Code local = new Code();
        local.add(Opcode.LDL, Field.DST, 1, Field.SRC_A, 63, Field.OFFSET, 2, Field.SIZE, B32);
        assertEquals(WarpError.MISALIGNED_ADDR, errorOf(local));
        Code pair = new Code();
        int wide = MemorySize.B64.ordinal();
        pair.add(Opcode.LDS, Field.DST, 1, Field.SRC_A, 63, Field.SIZE, wide);
        assertEquals(WarpError.MISALIGNED_REG, errorOf(pair));
        assertEquals(WarpError.MISALIGNED_PC, errorOf(new Code().add(Opcode.JMP, Field.TARGET, 4)));
    }

    @Test
    void givenAddressesOutsideMemory_whenAccessed_thenEachAccessHasOwnError() {
        Code shared = new Code().load(2, 1024);
        shared.add(Opcode.STS, Field.DATA, 1, Field.SRC_A, 2, Field.SIZE, B32);
        assertEquals(WarpError.OOR_ADDR, errorOf(shared));
        Code below = new Code().load(2, -4);
        below.add(Opcode.LDS, Field.DST, 1, Field.SRC_A, 2, Field.SIZE, B32);
        assertEquals(WarpError.OOR_ADDR, errorOf(below));
        Code local = new Code().load(2, 256);
        local.add(Opcode.LDL, Field.DST, 1, Field.SRC_A, 2, Field.SIZE, B32);
        assertEquals(WarpError.OOR_ADDR, errorOf(local));
        Code constant = new Code().load(2, 256);
        constant.add(Opcode.LDC, Field.DST, 1, Field.SRC_A, 2, Field.B_BANK, 0, Field.SIZE, B32);
        assertEquals(WarpError.INVALID_CONST_ADDR_LDC, errorOf(constant));
        Code bank = new Code();
        bank.add(Opcode.MOV, Field.DST, 1, Field.B_BANK, 9, Field.B_OFFSET, 0);
        assertEquals(WarpError.INVALID_CONST_ADDR, errorOf(bank));
        Code atomic = new Code().load(2, TestSm.SHARED_WINDOW);
        atomic.add(Opcode.RED, Field.EXTENDED, 0, Field.DATA, 1, Field.SRC_A, 2);
        assertEquals(WarpError.INVALID_ADDR_SPACE, errorOf(atomic));
    }

    @Test
    void givenLoadsThatSpanMoreThanSharedMemory_whenExecutedAtHighestAddress_thenErrorIsReported() {
        sm.sharedBytes(0);
        Code loads = new Code().load(2, Integer.MAX_VALUE & -Integer.BYTES);
        loads.add(Opcode.LDS, Field.DST, 1, Field.SRC_A, 2, Field.OFFSET, 4, Field.SIZE, B32);
        loads.add(Opcode.LDS, Field.DST, 3, Field.SRC_A, 2, Field.OFFSET, 0, Field.SIZE, B32);
        assertEquals(WarpError.OOR_ADDR, errorOf(loads));
    }

    @Test
    void givenInstructionWithRegisterAboveLimit_whenRun_thenErrorIsReported() {
        sm.registers(8);
        assertEquals(WarpError.OOR_REG, errorOf(new Code().load(8, 1)));
        sm.code(new Code().load(7, 1).exit()).run();
        sm.registers(9).code(new Code().load(8, 1).exit()).run();
    }

    @Test
    void givenErrorUnderFalsePredicate_whenRun_thenNoErrorIsReported() {
        sm.setPredicate(2, 0).registers(8);
        sm.code(new Code().when(2).load(20, 1).exit()).run();
    }

    @ParameterizedTest
    @EnumSource(ExecutionMode.class)
    void givenTrappingKernel_whenRun_thenExecutedInstructionsAreCountedAndReported(
            ExecutionMode mode) {
        int executed = 100;
        Kernels kernels = new Kernels(mode);
        try (TestSm own =
                new TestSm(0, kernels).code("NOP\n".repeat(executed - 1) + "BPT.TRAP 0x0")) {
            own.load().begin(0);
            AtomicInteger reported = new AtomicInteger();
            Safepoint safepoint =
                    instructions -> {
                        reported.addAndGet(instructions);
                        return false;
                    };
            assertEquals(Outcome.TRAPPED, own.sm.run(safepoint));
            assertFalse(own.sm.isRunning());
            assertTrue(reported.get() >= executed, "reported=" + reported);
            assertEquals(
                    reported.get(), kernels.tallies().interpreted() + kernels.tallies().compiled());
        }
    }

    @Test
    void givenEndlessLoop_whenSafepointStopsLoop_thenNextRunResumesLoop() {
        Code code = new Code().label("loop");
        code.add(Opcode.IADD, Field.DST, 1, Field.SRC_A, 1, Field.IMMEDIATE, 1);
        sm.code(code.to("loop", Opcode.BRA)).load().begin(0);
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger instructions = new AtomicInteger();
        Safepoint third =
                executed -> {
                    assertTrue(executed > 0 && executed <= 4096, "executed=" + executed);
                    instructions.addAndGet(executed);
                    return asked.incrementAndGet() % 3 == 0;
                };
        assertEquals(Outcome.STOPPED, sm.sm.run(third));
        int before = sm.register(1)[0];
        assertEquals(3, asked.get());
        assertEquals(Outcome.STOPPED, sm.sm.run(third));
        assertEquals(2 * before, sm.register(1)[31]);
        assertEquals(instructions.get(), 2 * 2 * before);
        sm.sm.abandon();
        sm.code(new Code().exit()).run();
    }

    @Test
    void givenChangedCode_whenVersionChanges_thenNewCodeRuns() {
        sm.code(new Code().load(1, 1).exit()).run();
        assertEquals(1, sm.register(1)[0]);
        sm.code(new Code().load(1, 2).exit()).run();
        assertEquals(2, sm.register(1)[0]);
    }

    @Test
    void givenRandomWords_whenRun_thenWarpsEndOrTrapOrAreStopped() {
        long seed = 11;
        Random random = new Random(seed);
        for (int round = 0; round < 3000; round++) {
            long[] words = new long[24];
            for (int i = 0; i < words.length; i++) {
                // Random words with guards that are usually true, and opcodes that usually exist.
                words[i] = random.nextLong() & ~0x18L;
                words[i] = random.nextInt(4) > 0 ? words[i] | 0x1c00 & ~0x2000 : words[i];
            }
            sm.address(2, TestSm.DATA).block(48, 1, 1).code(words).load().begin(0);
            AtomicInteger turns = new AtomicInteger();
            Outcome outcome = sm.sm.run(_ -> turns.incrementAndGet() > 6);
            if (outcome != Outcome.BLOCK_DONE) {
                String text = outcome + " " + sm.sm.position() + " " + sm.sm.trap();
                assertTrue(text.contains("code="), "seed=" + seed);
                sm.sm.abandon();
            }
        }
    }

    /// Lane l accesses page i << 10 | i, with i = l + 1: all pages share one slot in the TLB.
    @Test
    void givenLanesWithConflictingTranslations_whenLoading_thenSafepointIsWithin100Instructions() {
        int[] addresses = new int[Rows.LANES];
        long page = sm.gpu.allocate(4096);
        for (int lane = 0; lane < Rows.LANES; lane++) {
            addresses[lane] = (lane + 1) * 0x40_1000;
            sm.tables.mapVram(addresses[lane], page, 4096);
        }
        sm.set(2, addresses).code("again: LD R4, [R2]; BRA again").load().begin(0);
        int[] most = {0};
        int[] left = {100};
        Safepoint safepoint =
                executed -> {
                    most[0] = Math.max(most[0], executed);
                    return --left[0] == 0;
                };
        assertEquals(Outcome.STOPPED, sm.sm.run(safepoint));
        assertTrue(most[0] < 100, "instructions=" + most[0]);
    }
}
