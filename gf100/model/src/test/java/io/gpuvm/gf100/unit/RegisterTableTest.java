package io.gpuvm.gf100.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterArray;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegisterTableTest {
    private static final Register A = new Register("TEST.A", 0x1000);
    private static final Register B = new Register("TEST.B", 0x1004);
    private static final RegisterArray C = new RegisterArray("TEST.C", 0x1010, 8, 4);

    @Test
    void givenLatch_whenWritten_thenValueReadsBack() {
        RegisterBench bench = new RegisterBench(table -> table.latch(A, 5));

        assertEquals(5, bench.read(A));
        bench.write(A, 0xffff_fffe);
        assertEquals(0xffff_fffe, bench.read(A));
        bench.reset();
        assertEquals(5, bench.read(A));
    }

    @Test
    void givenMaskedLatch_whenWritten_thenOnlyMaskedBitsChange() {
        RegisterBench bench = new RegisterBench(table -> table.latch(A, 0xf0, BitField.bits(3, 0)));

        bench.write(A, 0xffff_ffff);

        assertEquals(0xff, bench.read(A));
    }

    @Test
    void givenConstant_whenWritten_thenWriteIsDroppedButNotUndeclared() {
        RegisterBench bench = new RegisterBench(table -> table.constant(A, 7));

        bench.write(A, 9);

        assertEquals(7, bench.read(A));
        assertTrue(bench.undeclared.snapshot().isEmpty());
    }

    @Test
    void givenUndeclaredRegister_whenAccessed_thenAccessesAreCountedAndFirstPerDirectionIsLogged() {
        RegisterBench bench = new RegisterBench(table -> table.latch(A));

        bench.write(B, 1);
        bench.write(B, 2);
        assertEquals(0, bench.read(B));
        assertEquals(0, bench.read(B));
        assertEquals(0, bench.read(B));

        assertEquals(
                List.of(new UndeclaredAccesses.Entry(B.offset(), 3, 2)),
                bench.undeclared.snapshot());
        assertEquals(2, bench.log.size());
    }

    @Test
    void givenUndeclaredRegisterInKnownUnit_whenLogged_thenUnitIsNamed() {
        RegisterBench bench = new RegisterBench();

        bench.read(0x00e104);

        assertEquals(List.of("undeclared register read: offset=0x00e104 (PNVIO+0x104)"), bench.log);
        assertEquals("PNVIO+0x104", bench.undeclared.snapshot().getFirst().name());
    }

    @Test
    void givenStorage_whenOneByteIsWritten_thenOtherBytesAreUnchanged() {
        RegisterBench bench = new RegisterBench(table -> table.storage(0x1000, 0x1008));

        bench.write(A, 0x11223344);
        bench.writeByte(A.offset() + 2, 0xaa);

        assertEquals(0x11aa3344, bench.read(A));
        assertEquals(0xaa, bench.read(A.offset() + 2, 1));
        assertEquals(0x11aa, bench.read(A.offset() + 2, 2));
    }

    @Test
    void givenWriteHandler_whenOneByteIsWritten_thenOtherBytesAreZero() {
        List<Integer> written = new ArrayList<>();
        RegisterBench bench = new RegisterBench(table -> table.on(A, () -> -1, written::add));

        bench.writeByte(A.offset() + 1, 0x5a);

        assertEquals(List.of(0x5a00), written);
    }

    @Test
    void givenTwoRegisters_whenEightBytesAreAccessed_thenBothRegistersAreAccessed() {
        RegisterBench bench = new RegisterBench(table -> table.latch(A).latch(B));

        bench.write(A.offset(), 8, 0x1111_2222_3333_4444L);

        assertEquals(0x3333_4444, bench.read(A));
        assertEquals(0x1111_2222, bench.read(B));
        assertEquals(0x1111_2222_3333_4444L, bench.read(A.offset(), 8));
    }

    @Test
    void givenArrayWithHandlers_whenAccessed_thenHandlerReceivesIndex() {
        int[] values = new int[C.count()];
        RegisterBench bench =
                new RegisterBench(
                        table -> table.array(C, i -> values[i] + 1, (i, v) -> values[i] = v));

        bench.write(C, 3, 41);

        assertEquals(42, bench.read(C, 3));
        assertEquals(1, bench.read(C, 0));
        assertEquals(0, bench.read(C.at(0) + 4));
        assertEquals(1, bench.undeclared.snapshot().size());
    }

    @Test
    void givenTwoRowsAtOneOffset_whenBuilt_thenTableIsRefused() {
        assertThrows(
                IllegalStateException.class,
                () -> new RegisterBench(table -> table.latch(A).constant(A, 1)));
    }

    @Test
    void givenStorageOverRow_whenAccessed_thenRowTakesPrecedence() {
        RegisterBench bench =
                new RegisterBench(table -> table.storage(0x1000, 0x1010).constant(A, 3));

        bench.write(A, 1);
        bench.write(B, 1);

        assertEquals(3, bench.read(A));
        assertEquals(1, bench.read(B));
    }
}
