package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;

/// A kernel in the GPU's memory, with a page that becomes constant bank 0 and a page of results.
///
/// Bank 0 holds the address of the results, low and high half, and what [#NUMBER] adds.
final class Kernel {
    static final int SUBCHANNEL = 1;
    static final int WARP = 32;

    /// `S2R R0, SR_CTAID.X`, `S2R R1, SR_TID.X`, `ISCADD R0, R0, R1, 0x5`: number of the thread, in
    /// a grid of blocks of one warp; `MOV R3, c[0x0][0x4]`.
    private static final long[] BEGIN = {
        0x2c00000094001c04L, 0x2c00000084005c04L, 0x4000000004001ca3L, 0x280040001000dde4L
    };

    /// `IADD R4, R0, c[0x0][0x8]`, `ISCADD R2, R0, c[0x0][0x0], 0x2`, `ST.E [R2], R4`.
    private static final long[] STORE = {
        0x4800400020011c03L, 0x4000400000009c43L, 0x9400000000211c85L
    };

    private static final long EXIT = 0x8000000000001de7L;

    /// Under no condition, and of no form.
    private static final long NO_INSTRUCTION = 0xffffffffffffdfffL;

    /// Each thread stores its number plus a constant at the result of its number.
    static final long[] NUMBER = join(BEGIN, STORE, EXIT);

    /// The same with a word before the store that is no instruction.
    static final long[] ILLEGAL = join(BEGIN, new long[] {NO_INSTRUCTION}, EXIT);

    /// Where the word lies that is no instruction.
    static final int ILLEGAL_OFFSET = BEGIN.length * Long.BYTES;

    /// Each thread hands its number in the block to another by shared memory, and stores what it
    /// was given: `SHL R4, R1, 0x2`, `STS [R4], R1`, `BAR.RED.POPC RZ, RZ, RZ` (a barrier), `IADD
    /// R6, -R4, 0xfc`, `LDS R5, [R6]`, `ISCADD R2, R1, c[0x0][0x0], 0x2`, `ST.E [R2], R5`.
    static final long[] REVERSE_64 =
            join(
                    BEGIN,
                    new long[] {
                        0x6000c00008111c03L,
                        0xc900000000405c85L,
                        0x50ee0000ffffdc04L,
                        0x4800c003f0419e03L,
                        0xc100000000615c85L,
                        0x4000400000109c43L,
                        0x9400000000215c85L
                    },
                    EXIT);

    /// Copies the second result to the first for ever: `MOV R2, c[0x0][0x0]`, `MOV R3,
    /// c[0x0][0x4]`, `LD.E R4, [R2+0x4]`, `ST.E [R2], R4`, `BRA` to the load.
    static final long[] ENDLESS = {
        0x2800400000009de4L,
        0x280040001000dde4L,
        0x8400000010211c85L,
        0x9400000000211c85L,
        0x4003ffffa0001de7L
    };

    private static final long CODE = 0;
    private static final long BANK = Bench.PAGE_BYTES;
    private static final long RESULTS = 2 * Bench.PAGE_BYTES;

    private final Bench bench;
    private final long base;

    Kernel(Bench bench, long[] words) {
        this.bench = bench;
        base = bench.allocate(3 * Bench.PAGE_BYTES);
        for (int i = 0; i < words.length; i++) {
            bench.host().quad(base + CODE + (long) i * Long.BYTES, words[i]);
        }
    }

    /// Where a thread's result is.
    long resultVa(int index) {
        return Bench.HOST_VA + base + RESULTS + (long) index * Integer.BYTES;
    }

    int result(int index) {
        return bench.host().word(base + RESULTS + (long) index * Integer.BYTES);
    }

    void result(int index, int value) {
        bench.host().word(base + RESULTS + (long) index * Integer.BYTES, value);
    }

    /// Binds compute and runs the kernel on blocks of one warp, with results where they belong.
    Program launch(Program program, int blocks, int added) {
        return launch(program, resultVa(0), blocks, WARP, added);
    }

    /// @param resultsVa where the kernel takes its results to be
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

    private static long[] join(long[] first, long[] second, long last) {
        long[] all = new long[first.length + second.length + 1];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        all[all.length - 1] = last;
        return all;
    }
}
