package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;

/// Kernel in the GPU's memory, with a page for constant bank 0 and a page of results.
///
/// Bank 0 contains the address of the results (low and high half) and the addend of [#NUMBER].
final class TestKernel {
    static final int SUBCHANNEL = 1;
    static final int WARP = 32;

    /// Start of all kernels except [#ENDLESS]. R0 is the thread's number in a grid of blocks of one
    /// warp; R1 is the thread's number in the block.
    private static final String BEGIN =
            """
            S2R R0, SR_CTAID.X
            S2R R1, SR_TID.X
            ISCADD R0, R0, R1, 5
            MOV R3, c[0][4]
            """;

    /// Kernel in which each thread stores its number plus a constant, at the index of its number.
    static final String NUMBER =
            BEGIN
                    + """
                    IADD R4, R0, c[0][8]
                    ISCADD R2, R0, c[0][0], 2
                    ST.E [R2], R4
                    EXIT
                    """;

    /// Kernel of [#NUMBER] with an illegal instruction in place of the store.
    static final String ILLEGAL = BEGIN + ".word 0xffffffffffffdfff; EXIT";

    /// Kernel in which each of 64 threads passes its number to another thread through shared
    /// memory, and stores the number that it received.
    static final String REVERSE_64 =
            BEGIN
                    + """
                    SHL R4, R1, 2
                    STS [R4], R1
                    BAR.SYNC 0
                    IADD R6, -R4, 63 * 4
                    LDS R5, [R6]
                    ISCADD R2, R1, c[0][0], 2
                    ST.E [R2], R5
                    EXIT
                    """;

    /// Kernel that copies the second result to the first indefinitely.
    static final String ENDLESS =
            """
                  MOV R2, c[0][0]
                  MOV R3, c[0][4]
            copy: LD.E R4, [R2 + 4]
                  ST.E [R2], R4
                  BRA copy
            """;

    private static final long CODE = 0;
    private static final long BANK = Bench.PAGE_BYTES;
    private static final long RESULTS = 2 * Bench.PAGE_BYTES;

    private final Bench bench;
    private final long base;

    /// @param source instructions of the kernel
    TestKernel(Bench bench, String source) {
        this.bench = bench;
        long[] words = Assembler.code("kernel", source);
        base = bench.allocate(3 * Bench.PAGE_BYTES);
        for (int i = 0; i < words.length; i++) {
            bench.host().quad(base + CODE + (long) i * Long.BYTES, words[i]);
        }
    }

    /// Returns the GPU virtual address of a thread's result.
    long resultVa(int index) {
        return Bench.HOST_VA + base + RESULTS + (long) index * Integer.BYTES;
    }

    int result(int index) {
        return bench.host().word(base + RESULTS + (long) index * Integer.BYTES);
    }

    void result(int index, int value) {
        bench.host().word(base + RESULTS + (long) index * Integer.BYTES, value);
    }

    /// Binds the compute class and launches the kernel on blocks of one warp, with results at
    /// [#resultVa(int)].
    Program launch(Program program, int blocks, int added) {
        return launch(program, resultVa(0), blocks, WARP, added);
    }

    /// @param resultsVa address of the results, for constant bank 0
    Program launch(Program program, long resultsVa, int blocks, int threads, int added) {
        long bank = Bench.HOST_VA + base + BANK;
        return program.bind(SUBCHANNEL, ClassId.COMPUTE)
                .methods(SUBCHANNEL, ComputeClass.FLUSH, ComputeClass.FLUSH_CODE.of(1))
                .methods(SUBCHANNEL, ConstantMethods.SIZE, (int) Bench.PAGE_BYTES)
                .address(SUBCHANNEL, ConstantMethods.ADDRESS_HIGH, bank)
                .methods(
                        SUBCHANNEL,
                        ConstantMethods.POSITION,
                        0,
                        (int) resultsVa,
                        (int) (resultsVa >>> Integer.SIZE),
                        added)
                .methods(
                        SUBCHANNEL,
                        ComputeClass.CONSTANT_BIND,
                        ConstantMethods.COMPUTE_BIND_VALID.of(1))
                .address(SUBCHANNEL, ComputeClass.CODE_ADDRESS_HIGH, Bench.HOST_VA + base + CODE)
                .methods(SUBCHANNEL, ComputeClass.ENTRY, 0)
                .methods(SUBCHANNEL, ComputeClass.LOCAL_POSITIVE_BYTES, 0, 0, 0)
                .methods(SUBCHANNEL, ComputeClass.CACHE_SPLIT, ComputeClass.SPLIT_SHARED_48K)
                .methods(SUBCHANNEL, ComputeClass.SHARED_BYTES, threads * Integer.BYTES, threads, 1)
                .methods(SUBCHANNEL, ComputeClass.REGISTERS, 8)
                .methods(SUBCHANNEL, ComputeClass.BLOCK_YX, flat(threads), 1)
                .methods(SUBCHANNEL, ComputeClass.GRID_YX, flat(blocks), 1)
                .methods(SUBCHANNEL, ComputeClass.LAUNCH, 0);
    }

    private static int flat(int x) {
        return ComputeClass.DIMENSION_X.of(x) | ComputeClass.DIMENSION_Y.of(1);
    }
}
