package io.gpuvm.softgpu.sm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Complete kernels like those of nvcc.
class SmBasicsTest {
    private final TestSm sm = new TestSm();

    @AfterEach
    void close() {
        sm.close();
    }

    @Test
    void givenAddition_whenRun_thenEveryLaneHasOwnSum() {
        int[] a = new int[Rows.LANES];
        int[] want = new int[Rows.LANES];
        for (int l = 0; l < a.length; l++) {
            a[l] = l * 1000;
            want[l] = l * 1000 + 5;
        }
        sm.code(
                        new Code()
                                .add(Opcode.IADD, Field.DST, 2, Field.SRC_A, 1, Field.IMMEDIATE, 5)
                                .exit())
                .set(1, a)
                .run();
        assertArrayEquals(want, sm.register(2));
    }

    @Test
    void givenAssemblerText_whenRun_thenCodeIsExecuted() {
        sm.code(
                        """
                        S2R R0, SR_TID.X
                        ISETP.LT.U32 P0, R0, 0x8
                        MOV32I R1, 0x5
                        @P0 IADD R1, R1, R0
                        EXIT
                        """)
                .run();
        assertEquals(12, sm.register(1)[7]);
        assertEquals(5, sm.register(1)[8]);
    }

    /// The kernel `d[i] = 3 * i + 7` for i up to n, as Mesa compiles it.
    @Test
    void givenCodeFromMesa_whenRun_thenMemoryContainsResults() {
        int[] bank = new int[0x2ac / 4];
        bank[0x2a0 / 4] = (int) TestSm.DATA;
        bank[0x2a4 / 4] = (int) (TestSm.DATA >>> 32);
        bank[0x2a8 / 4] = 99 * 4;
        sm.constants(15, bank)
                .code(
                        0x2c00000094001c04L,
                        0x2c00000084005c04L,
                        0x6000c00014001e03L,
                        0x4800000004001c03L,
                        0x6000c00008009e03L,
                        0x4080000000001c43L,
                        0x4800c0001c00dc03L,
                        0x48017c0a80201c03L,
                        0x48007c0a93f05c43L,
                        0x1a0e7c0aa021dc03L,
                        0x940000000000e085L,
                        0x8000000000001de7L)
                .grid(4, 1, 1)
                .run();
        for (int i = 0; i < 100; i++) {
            assertEquals(3 * i + 7, sm.word(i * 4), "i=" + i);
        }
        assertEquals(0, sm.word(100 * 4));
    }

    /// `DFMA R4, R2, R2, c[0x10][0x4]` as nvcc encodes it for a constant at offset 0, and as Mesa
    /// would encode it.
    @ParameterizedTest
    @ValueSource(ints = {8, 12})
    void givenDoubleInConstantBank_whenEitherWordIsNamed_thenSameDoubleIsRead(int offset) {
        long constant = Double.doubleToRawLongBits(1.5);
        long[] threes = new long[Rows.LANES];
        Arrays.fill(threes, Double.doubleToRawLongBits(3));
        sm.constants(16, 7, 7, (int) constant, (int) (constant >>> Integer.SIZE))
                .setWide(2, threes)
                .code(
                        new Code()
                                .add(
                                        Opcode.DFMA,
                                        Field.DST,
                                        4,
                                        Field.SRC_A,
                                        2,
                                        Field.SRC_B,
                                        2,
                                        Field.C_BANK,
                                        16,
                                        Field.C_OFFSET,
                                        offset)
                                .exit())
                .run();
        assertEquals(10.5, Double.longBitsToDouble(sm.registerWide(4)[0]));
    }
}
