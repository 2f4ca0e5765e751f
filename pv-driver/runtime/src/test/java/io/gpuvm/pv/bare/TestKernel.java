package io.gpuvm.pv.bare;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.pv.transport.GenericWindows;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Kernel of one thread. Constant bank 0 contains an address: low half, then high half.
///
/// ```text
///  0     code      1000   constant bank 0
/// ```
final class TestKernel {
    /// Program that stores 42 at the address.
    static final String STORE =
            """
            MOV R2, c[0][0]
            MOV R3, c[0][4]
            MOV32I R4, 42
            ST.E [R2], R4
            EXIT
            """;

    static final String ENDLESS = "again: BRA again";

    /// Program with a word that encodes no instruction.
    static final String ILLEGAL = ".word 0xffffffffffffdfff; EXIT";

    private static final ValueLayout.OfLong WORD =
            ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int PAGE = 4096;
    private static final int REGISTERS = 8;

    private final HostMemory memory;

    TestKernel(GpuTransport transport, String source) {
        memory = transport.allocateHost(2 * PAGE);
        long[] words = Assembler.code("kernel", source);
        for (int i = 0; i < words.length; i++) {
            memory.segment().setAtIndex(WORD, i, words[i]);
        }
    }

    PushBuffer launch(PushBuffer push, long address) {
        int c = PushBuffer.COMPUTE;
        int one = ComputeClass.DIMENSION_X.of(1) | ComputeClass.DIMENSION_Y.of(1);
        return push.bind(c, ClassId.COMPUTE)
                .methods(c, ComputeClass.SHARED_BASE, (int) GenericWindows.SHARED)
                .methods(c, ComputeClass.LOCAL_BASE, (int) GenericWindows.LOCAL)
                .methods(c, ComputeClass.FLUSH, ComputeClass.FLUSH_CODE.of(1))
                .methods(c, ConstantMethods.SIZE, PAGE)
                .address(c, ConstantMethods.ADDRESS_HIGH, memory.gpuVa() + PAGE)
                .methods(
                        c,
                        ConstantMethods.POSITION,
                        0,
                        (int) address,
                        (int) (address >>> Integer.SIZE))
                .methods(c, ComputeClass.CONSTANT_BIND, ConstantMethods.COMPUTE_BIND_VALID.of(1))
                .address(c, ComputeClass.CODE_ADDRESS_HIGH, memory.gpuVa())
                .methods(c, ComputeClass.ENTRY, 0)
                .methods(c, ComputeClass.LOCAL_POSITIVE_BYTES, 0, 0, 0)
                .methods(c, ComputeClass.CACHE_SPLIT, ComputeClass.SPLIT_SHARED_48K)
                .methods(c, ComputeClass.SHARED_BYTES, 0, 1, 0)
                .methods(c, ComputeClass.REGISTERS, REGISTERS)
                .methods(c, ComputeClass.BLOCK_YX, one, 1)
                .methods(c, ComputeClass.GRID_YX, one, 1)
                .methods(c, ComputeClass.LAUNCH, 0);
    }
}
