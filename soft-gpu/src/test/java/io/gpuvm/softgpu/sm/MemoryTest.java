package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.isa.AtomicOp;
import io.gpuvm.gf100.isa.AtomicType;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.MemorySize;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.gf100.isa.SpecialRegister;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.softgpu.fifo.TestGpu;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Loads, stores and atomics of whole warps. Register pair 2 contains an address, register 1 data.
class MemoryTest {
    private static final int PAGE = (int) TestGpu.PAGE_BYTES;
    private static final int LOW = (int) TestSm.DATA;
    private static final int HIGH = (int) (TestSm.DATA >>> 32);

    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    private static int[] lanes(IntUnaryOperator value) {
        return IntStream.range(0, 32).map(value).toArray();
    }

    private static Code load(int result, MemorySize size) {
        return new Code()
                .add(
                        Opcode.LD,
                        Field.EXTENDED,
                        1,
                        Field.DST,
                        result,
                        Field.SRC_A,
                        2,
                        Field.SIZE,
                        size.ordinal());
    }

    private static Code store(MemorySize size) {
        return new Code()
                .add(
                        Opcode.ST,
                        Field.EXTENDED,
                        1,
                        Field.DATA,
                        4,
                        Field.SRC_A,
                        2,
                        Field.SIZE,
                        size.ordinal());
    }

    private TestSm at(IntUnaryOperator offset) {
        return sm.set(2, lanes(lane -> LOW + offset.applyAsInt(lane))).set(3, HIGH);
    }

    @Test
    void givenAddressesOfOnePage_whenLoaded_thenEachLaneHasOwnWord() {
        for (int i = 0; i < 32; i++) {
            sm.setWord(4 * i, 1000 + i);
        }
        at(lane -> 4 * (lane ^ 5)).code(load(1, MemorySize.B32).exit()).run();
        assertArrayEquals(lanes(lane -> 1000 + (lane ^ 5)), sm.register(1));
    }

    @Test
    void givenAddressesOfManyPages_whenStored_thenEachLaneStoresAtOwnAddress() {
        at(lane -> lane * (PAGE + 8)).set(4, lanes(lane -> 7 * lane));
        sm.code(store(MemorySize.B32).exit()).run();
        for (int i = 0; i < 32; i++) {
            assertEquals(7 * i, sm.word(i * (PAGE + 8)));
        }
    }

    @Test
    void givenOneAddress_whenAllLanesStore_thenHighestLaneWins() {
        at(_ -> 64).set(4, lanes(lane -> lane)).code(store(MemorySize.B32).exit()).run();
        assertEquals(31, sm.word(64));
    }

    @Test
    void givenNarrowAccesses_whenLoaded_thenValuesAreExtended() {
        sm.setWord(0, 0x80ff_7f01).setWord(4, 0x8123_4567);
        at(lane -> lane % 8);
        byte[] bytes = {1, 0x7f, -1, (byte) 0x80, 0x67, 0x45, 0x23, (byte) 0x81};
        sm.code(load(1, MemorySize.S8).exit()).run();
        assertArrayEquals(lanes(lane -> bytes[lane % 8]), sm.register(1));
        sm.code(load(1, MemorySize.U8).exit()).run();
        assertArrayEquals(lanes(lane -> bytes[lane % 8] & 0xff), sm.register(1));
        at(lane -> lane % 2 * 2);
        sm.code(load(1, MemorySize.S16).exit()).run();
        assertArrayEquals(lanes(lane -> lane % 2 == 0 ? 0x7f01 : (short) 0x80ff), sm.register(1));
    }

    @Test
    void givenNarrowAccesses_whenStored_thenAdjacentBytesAreUnchanged() {
        sm.setWord(0, -1).setWord(4, -1);
        at(lane -> lane % 2 == 0 ? 1 : 6).set(4, lanes(lane -> lane % 2 == 0 ? 0x12 : 0x3456));
        sm.code(store(MemorySize.U8).exit()).run();
        assertEquals(0xffff_12ff, sm.word(0));
        assertEquals(0xff56_ffff, sm.word(4));
    }

    @Test
    void givenWideAccesses_whenCopied_thenAllRegistersAreCopied() {
        for (int i = 0; i < 128; i++) {
            sm.setWord(4 * i, i * i);
        }
        at(lane -> 16 * lane);
        Code code = load(4, MemorySize.B128);
        code.add(Opcode.IADD, Field.DST, 2, Field.SRC_A, 2, Field.IMMEDIATE, PAGE);
        code.add(store(MemorySize.B128).words());
        sm.code(code.exit()).run();
        for (int i = 0; i < 128; i++) {
            assertEquals(i * i, sm.word(PAGE + 4 * i));
        }
        assertArrayEquals(lanes(lane -> (4 * lane + 3) * (4 * lane + 3)), sm.register(7));
    }

    @Test
    void givenZeroAsWideData_whenStored_thenAllWordsAreZero() {
        sm.setWord(8, 5).setWord(12, 6);
        sm.code(
                new Code()
                        .add(
                                Opcode.ST,
                                Field.EXTENDED,
                                1,
                                Field.DATA,
                                63,
                                Field.SRC_A,
                                2,
                                Field.SIZE,
                                MemorySize.B64.ordinal())
                        .exit());
        at(_ -> 8).run();
        assertEquals(0, sm.word(8));
        assertEquals(0, sm.word(12));
    }

    @Test
    void givenPredicate_whenLoaded_thenAddressesOfOtherLanesAreNotTranslated() {
        sm.setWord(0, 42).setPredicate(1, 1 << 3).set(1, 9);
        sm.set(2, lanes(lane -> lane == 3 ? LOW : 0)).set(3, lanes(lane -> lane == 3 ? HIGH : 0));
        Code code = new Code().when(1);
        code.add(
                Opcode.LD,
                Field.EXTENDED,
                1,
                Field.DST,
                1,
                Field.SRC_A,
                2,
                Field.SIZE,
                MemorySize.B32.ordinal());
        sm.code(code.exit()).run();
        assertArrayEquals(lanes(lane -> lane == 3 ? 42 : 9), sm.register(1));
    }

    @Test
    void givenPageWithoutMemory_whenAccessed_thenLoadsAreAllOnesAndStoresAreDropped() {
        sm.tables.mapVram(TestSm.DATA, TestGpu.VRAM_BYTES, PAGE);
        Code code = store(MemorySize.B32);
        code.add(load(1, MemorySize.B32).words()).add(load(4, MemorySize.U8).words());
        at(lane -> 4 * lane).code(code.exit()).run();
        assertArrayEquals(TestSm.filled(-1), sm.register(1));
        assertArrayEquals(TestSm.filled(0xff), sm.register(4));
    }

    @Test
    void givenGenericAddresses_whenAccessed_thenEachLaneAccessesOwnMemory() {
        // Lanes alternate between global, shared and local memory. Each lane stores a word, loads
        // it again, and stores the loaded word in the results.
        int[] low = new int[32];
        int[] high = new int[32];
        for (int l = 0; l < 32; l++) {
            low[l] =
                    switch (l % 3) {
                        case 0 -> LOW + 4 * l;
                        case 1 -> TestSm.SHARED_WINDOW + 4 * l;
                        default -> TestSm.LOCAL_WINDOW + 4 * l;
                    };
            high[l] = l % 3 == 0 ? HIGH : 0;
        }
        sm.set(2, low).set(3, high).set(4, lanes(lane -> 100 + lane));
        Code code = store(MemorySize.B32);
        code.add(load(1, MemorySize.B32).words());
        code.add(Opcode.S2R, Field.DST, 5, Field.SPECIAL_REGISTER, SpecialRegister.LANEID.code());
        code.add(Opcode.SHL, Field.DST, 5, Field.SRC_A, 5, Field.IMMEDIATE, 2);
        int size = MemorySize.B32.ordinal();
        code.add(Opcode.LDS, Field.DST, 6, Field.SRC_A, 5, Field.SIZE, size);
        code.add(Opcode.LDL, Field.DST, 7, Field.SRC_A, 5, Field.SIZE, size);
        sm.code(code.exit()).run();
        assertArrayEquals(lanes(lane -> 100 + lane), sm.register(1));
        assertArrayEquals(lanes(lane -> lane % 3 == 1 ? 100 + lane : 0), sm.register(6));
        assertArrayEquals(lanes(lane -> lane % 3 == 2 ? 100 + lane : 0), sm.register(7));
        assertEquals(103, sm.word(12));
    }

    @Test
    void givenLocalMemory_whenUsedFromBothEnds_thenThreadsAreSeparate() {
        int size = MemorySize.B64.ordinal();
        Code code = new Code();
        for (int offset : new int[] {0, 248, (1 << 24) - 64, (1 << 24) - 8}) {
            code.add(Opcode.IADD, Field.DST, 5, Field.SRC_A, 5, Field.IMMEDIATE, 1);
            code.load(8, offset);
            code.add(Opcode.STL, Field.DATA, 4, Field.SRC_A, 8, Field.SIZE, size);
        }
        code.load(8, 248).add(Opcode.LDL, Field.DST, 10, Field.SRC_A, 8, Field.SIZE, size);
        code.load(8, (1 << 24) - 64);
        code.add(Opcode.LDL, Field.DST, 12, Field.SRC_A, 8, Field.SIZE, size);
        sm.set(4, lanes(lane -> lane)).block(64, 1, 1).code(code.exit()).run();
        assertArrayEquals(lanes(lane -> lane), sm.register(1, 10));
        assertArrayEquals(TestSm.filled(2), sm.register(0, 11));
        assertArrayEquals(lanes(lane -> lane), sm.register(0, 12));
        assertArrayEquals(TestSm.filled(3), sm.register(1, 13));
    }

    @Test
    void givenIndexedConstants_whenLoaded_thenEachLaneHasOwnConstant() {
        sm.constants(3, IntStream.range(0, 64).map(i -> i << 24 | i).toArray());
        sm.set(5, lanes(lane -> 4 * lane));
        Code code = new Code();
        int word = MemorySize.B32.ordinal();
        code.add(
                Opcode.LDC,
                Field.DST,
                1,
                Field.SRC_A,
                5,
                Field.B_BANK,
                3,
                Field.OFFSET,
                8,
                Field.SIZE,
                word);
        int narrow = MemorySize.S8.ordinal();
        code.add(
                Opcode.LDC,
                Field.DST,
                2,
                Field.SRC_A,
                5,
                Field.B_BANK,
                3,
                Field.OFFSET,
                3,
                Field.SIZE,
                narrow);
        sm.code(code.exit()).run();
        assertArrayEquals(lanes(lane -> lane + 2 << 24 | lane + 2), sm.register(1));
        assertArrayEquals(lanes(lane -> lane), sm.register(2));
    }

    @Test
    void givenLockedLoop_whenAllLanesAddToOneWord_thenNoAdditionIsLost() {
        int size = MemorySize.B32.ordinal();
        Code code = new Code().label("loop");
        code.add(
                Opcode.LDSLK,
                Field.PDST,
                0,
                Field.DST,
                1,
                Field.SRC_A,
                63,
                Field.OFFSET,
                16,
                Field.SIZE,
                size);
        code.when(0).add(Opcode.IADD, Field.DST, 1, Field.SRC_A, 1, Field.IMMEDIATE, 3);
        code.when(0)
                .add(
                        Opcode.STSUL,
                        Field.DATA,
                        1,
                        Field.SRC_A,
                        63,
                        Field.OFFSET,
                        16,
                        Field.SIZE,
                        size);
        code.unless(0).to("loop", Opcode.BRA);
        code.add(Opcode.LDS, Field.DST, 2, Field.SRC_A, 63, Field.OFFSET, 16, Field.SIZE, size);
        sm.block(96, 1, 1).code(code.exit()).run();
        int most = Arrays.stream(sm.register(2, 2)).max().orElseThrow();
        assertEquals(3 * 96, most);
    }

    private Code atomic(AtomicOp op, AtomicType type) {
        return new Code()
                .add(
                        Opcode.ATOM,
                        Field.EXTENDED,
                        1,
                        Field.DST,
                        8,
                        Field.SRC_A,
                        2,
                        Field.DATA,
                        4,
                        Field.ATOMIC,
                        op.ordinal(),
                        Field.ATOMIC_TYPE,
                        type.code());
    }

    @Test
    void givenOneWord_whenAllLanesAddToWord_thenEachLaneReadsDifferentValue() {
        sm.setWord(0, 1000);
        at(_ -> 0).set(4, lanes(lane -> lane)).code(atomic(AtomicOp.ADD, AtomicType.U32).exit());
        sm.run();
        assertEquals(1000 + 31 * 16, sm.word(0));
        assertArrayEquals(lanes(lane -> 1000 + lane * (lane - 1) / 2), sm.register(8));
    }

    @Test
    void givenFloats_whenAdded_thenDenormalsCountAsZero() {
        sm.setWord(0, 1);
        at(_ -> 0).set(4, lanes(lane -> Float.floatToIntBits(lane)));
        sm.code(atomic(AtomicOp.ADD, AtomicType.F32).exit()).run();
        assertEquals(31 * 16, Float.intBitsToFloat(sm.word(0)));
    }

    @Test
    void givenCompareAndSwap_whenLanesCompete_thenOneLaneWins() {
        sm.setWord(0, 5);
        Code code =
                new Code()
                        .add(
                                Opcode.ATOM,
                                Field.EXTENDED,
                                1,
                                Field.DST,
                                8,
                                Field.SRC_A,
                                2,
                                Field.DATA,
                                4,
                                Field.SWAP,
                                5,
                                Field.ATOMIC,
                                AtomicOp.CAS.ordinal(),
                                Field.ATOMIC_TYPE,
                                AtomicType.U32.code());
        at(_ -> 0).set(4, 5).set(5, lanes(lane -> 100 + lane)).code(code.exit()).run();
        assertEquals(100, sm.word(0));
        assertArrayEquals(lanes(lane -> lane == 0 ? 5 : 100), sm.register(8));
    }

    @Test
    void givenHostMemoryThatMayBeTruncated_whenAccessed_thenAccessSucceeds() {
        long iova = 0x100_0000;
        MemFd file = sm.gpu.mapHost(iova, PAGE);
        sm.tables.map(TestSm.DATA, MemoryTarget.SYSTEM_COHERENT, iova, PAGE);
        Code code = store(MemorySize.B32);
        code.add(atomic(AtomicOp.ADD, AtomicType.U32).words());
        code.add(load(1, MemorySize.B32).words());
        at(lane -> 4 * lane).set(4, lanes(lane -> lane + 1)).code(code.exit()).run();
        assertArrayEquals(lanes(lane -> 2 * lane + 2), sm.register(1));
        try (MappedMemory mapping =
                MappedMemory.map(file.descriptor(), 0, PAGE, MappedMemory.Access.READ_WRITE)) {
            assertEquals(64, mapping.segment().get(ValueLayout.JAVA_INT, 31 * 4));
        }
        file.resize(0);
        sm.run();
        assertArrayEquals(TestSm.filled(-1), sm.register(1));
    }

    @Test
    void givenTruncatedReadOnlyHostMemory_whenAtomicsAccessMemory_thenAtomicsReadAllOnes() {
        long iova = 0x100_0000;
        MemFd file = sm.gpu.mapHostReadOnly(iova, PAGE);
        sm.tables.map(TestSm.DATA, MemoryTarget.SYSTEM_COHERENT, iova, PAGE);
        Code code = new Code().add(atomic(AtomicOp.ADD, AtomicType.U32).words());
        at(lane -> 4 * lane).set(4, lanes(lane -> lane + 1)).code(code.exit()).run();
        assertArrayEquals(TestSm.filled(0), sm.register(8));
        file.resize(0);
        sm.run();
        assertArrayEquals(TestSm.filled(-1), sm.register(8));
        assertTrue(sm.gpu.memory.lostAccesses() > 0);
    }
}
