package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.softgpu.fifo.TestAddressSpace;
import io.gpuvm.softgpu.fifo.TestGpu;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Multiprocessor with memory behind real page tables, for tests: a test supplies code, registers
/// and memory, runs blocks, and inspects the results.
///
/// Global memory of [#DATA_BYTES] bytes is at [#DATA]. Constant bank 0 has 256 bytes, and tests may
/// add banks. A thread has 256 bytes of local memory upwards from 0, and 64 bytes below the end of
/// the window. Registers can be inspected after the last block, including those of threads that
/// have exited.
public final class TestSm implements AutoCloseable {
    /// Address of global memory.
    public static final long DATA = 0x12_3456_0000L;

    public static final int DATA_BYTES = 1 << 20;

    /// First generic address of shared memory.
    public static final int SHARED_WINDOW = 0xfe00_0000;

    /// First generic address of local memory.
    public static final int LOCAL_WINDOW = 0xff00_0000;

    private static final long CODE = 0x20_0000_0000L;
    private static final int CODE_BYTES = 1 << 18;

    /// First offset in the code segment without memory.
    public static final int CODE_END = CODE_BYTES;

    private static final long CONSTANTS = 0x21_0000_0000L;
    private static final long TEMP = 0x22_0000_0000L;
    private static final int TEMP_BYTES = 4 << 20;
    private static final int BANK_BYTES = 256;
    private static final int WORD = Integer.BYTES;
    private static final int LOCAL_BYTES = 256;
    private static final int LOCAL_TOP_BYTES = 64;

    public final TestGpu gpu = new TestGpu();
    public final TestAddressSpace tables = new TestAddressSpace(gpu);
    private final long codeVram = gpu.allocate(CODE_BYTES);
    private final long dataVram = gpu.allocate(DATA_BYTES);
    private final long constantVram = gpu.allocate(1 << 16);
    private final long tempVram = gpu.allocate(TEMP_BYTES);
    private final List<ConstantBank> banks =
            new ArrayList<>(Collections.nCopies(ConstantBank.COUNT, ConstantBank.UNBOUND));
    private final List<Runnable> preparations = new ArrayList<>();

    private final Kernels kernels;
    public final Sm sm;
    private Dimensions grid = new Dimensions(1, 1, 1);
    private Dimensions block = new Dimensions(Rows.LANES, 1, 1);
    private TextureBindings textures = TextureBindings.NONE;
    private int registers = 63;
    private int sharedBytes = 1024;
    private int callStackBytes;
    private long version;
    private int entry;
    private int nextConstant;

    public TestSm() {
        this(0);
    }

    /// @param number number of the multiprocessor
    public TestSm(int number) {
        this(number, TestExecutionMode.kernels());
    }

    /// @param kernels kernels of this multiprocessor and possibly of others; closed by [#close()]
    TestSm(int number, Kernels kernels) {
        this.kernels = kernels;
        sm = new Sm(number, gpu.mmu, gpu::nowNs, kernels);
        tables.mapVram(CODE, codeVram, CODE_BYTES);
        tables.mapVram(DATA, dataVram, DATA_BYTES);
        tables.mapVram(CONSTANTS, constantVram, 1 << 16);
        tables.mapVram(TEMP, tempVram, TEMP_BYTES);
        constants(0, new int[BANK_BYTES / WORD]);
    }

    /// Writes code to the start of the code segment, which is the default entry.
    public TestSm code(long... words) {
        for (int i = 0; i < words.length; i++) {
            gpu.vram.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, codeVram + 8L * i, words[i]);
        }
        version++;
        return this;
    }

    public TestSm code(Code code) {
        return code(code.words());
    }

    /// Writes code from assembler text.
    public TestSm code(String source) {
        return code(Assembler.code("test", source));
    }

    /// Sets the entry in the code segment; the default is its start.
    public TestSm entry(int offset) {
        entry = offset;
        return this;
    }

    /// Sets the number of threads in a block.
    public TestSm block(int x, int y, int z) {
        block = new Dimensions(x, y, z);
        return this;
    }

    public TestSm grid(int x, int y, int z) {
        grid = new Dimensions(x, y, z);
        return this;
    }

    /// Sets the number of registers of a thread; the default is 63.
    public TestSm registers(int count) {
        registers = count;
        return this;
    }

    /// Sets the size of a block's shared memory; the default is 1 KiB.
    public TestSm sharedBytes(int bytes) {
        sharedBytes = bytes;
        return this;
    }

    public TestSm callStackBytes(int bytes) {
        callStackBytes = bytes;
        return this;
    }

    /// Fills a constant bank, and sets its length, rounded up to 256 bytes.
    public TestSm constants(int bank, int... words) {
        int bytes = words.length * WORD + BANK_BYTES - 1 & -BANK_BYTES;
        int at = banks.get(bank).isBound() ? place(bank) : nextConstant;
        if (!banks.get(bank).isBound() || bytes > banks.get(bank).bytes()) {
            at = nextConstant;
            nextConstant += bytes;
            banks.set(bank, new ConstantBank(true, CONSTANTS + at, bytes));
        }
        for (int i = 0; i < words.length; i++) {
            gpu.word(constantVram + at + (long) i * WORD, words[i]);
        }
        return this;
    }

    /// Sets the textures for fetches of texels.
    public TestSm textures(TextureBindings bindings) {
        textures = bindings;
        return this;
    }

    private int place(int bank) {
        return (int) (banks.get(bank).gpuVa() - CONSTANTS);
    }

    /// Sets the value of a register in every thread at the start of the next block.
    public TestSm set(int register, int value) {
        return set(register, filled(value));
    }

    /// Sets the lanes' values of a register, for every warp, at the start of the next block.
    public TestSm set(int register, int[] values) {
        preparations.add(() -> {
            for (int w = 0; w < sm.block().warps(); w++) {
                int[] r = sm.block().warp(w).registers;
                System.arraycopy(values, 0, r, Rows.source(register), values.length);
            }
        });
        return this;
    }

    /// Sets the lanes' values of a pair of registers, for every warp, at the start of the next
    /// block.
    public TestSm setWide(int register, long[] values) {
        int[] low = new int[values.length];
        int[] high = new int[values.length];
        for (int i = 0; i < values.length; i++) {
            low[i] = (int) values[i];
            high[i] = (int) (values[i] >>> Integer.SIZE);
        }
        return set(register, low).set(register + 1, high);
    }

    /// Sets a pair of registers of every thread to an address.
    public TestSm address(int register, long gpuVa) {
        return set(register, (int) gpuVa).set(register + 1, (int) (gpuVa >>> Integer.SIZE));
    }

    /// Discards all settings of registers and predicates.
    public TestSm unset() {
        preparations.clear();
        return this;
    }

    /// Sets a predicate of the first warp at the start of the next block, with one bit per lane.
    public TestSm setPredicate(int number, int lanes) {
        preparations.add(() -> sm.block().warp(0).predicates[number] = lanes);
        return this;
    }

    /// Sets the condition code of the first warp at the start of the next block, with one bit per
    /// lane.
    public TestSm setConditions(int zero, int sign, int carry, int overflow) {
        preparations.add(() -> sm.block().warp(0).conditions(-1, zero, sign, carry, overflow));
        return this;
    }

    /// Returns the word at an offset in global memory.
    public int word(int offset) {
        return gpu.word(dataVram + offset);
    }

    public TestSm setWord(int offset, int value) {
        gpu.word(dataVram + offset, value);
        return this;
    }

    /// Returns the local memory of the first warps, for launches without a call stack.
    public MemorySegment localMemory(int warps) {
        return gpu.slice(tempVram, (long) warps * Rows.LANES * (LOCAL_BYTES + LOCAL_TOP_BYTES));
    }

    /// Runs all blocks, one after another, and expects them to end.
    public TestSm run() {
        load();
        for (long index = 0; index < grid.count(); index++) {
            begin(index);
            Outcome outcome = finish();
            if (outcome != Outcome.BLOCK_DONE) {
                throw new AssertionError(outcome + " " + sm.trap() + " at " + sm.position());
            }
        }
        return this;
    }

    /// Runs the first block, and expects it to fail.
    public SmTrap runToTrap() {
        load();
        begin(0);
        Outcome outcome = finish();
        if (outcome != Outcome.TRAPPED) {
            throw new AssertionError(outcome.toString());
        }
        return sm.trap();
    }

    /// Loads the launch into the multiprocessor.
    public TestSm load() {
        sm.load(launch());
        return this;
    }

    /// Starts a block.
    public TestSm begin(long index) {
        sm.begin(index);
        preparations.forEach(Runnable::run);
        return this;
    }

    /// Runs the started block for at most 10 s.
    public Outcome finish() {
        long start = System.nanoTime();
        long limitNs = TimeUnit.SECONDS.toNanos(10);
        return sm.run(_ -> System.nanoTime() - start > limitNs);
    }

    /// Returns the launch as configured.
    public Launch launch() {
        return new Launch(
                new CodeLocation(CODE, entry, version),
                grid,
                block,
                7,
                9,
                new ThreadStorage(
                        registers, 16, sharedBytes, LOCAL_BYTES, LOCAL_TOP_BYTES, callStackBytes),
                new MemoryWindows(SHARED_WINDOW, LOCAL_WINDOW, TEMP, TEMP_BYTES),
                banks,
                textures,
                MemoryTarget.VRAM,
                tables.instance());
    }

    /// Returns a register of the first warp, lane by lane.
    public int[] register(int number) {
        return register(0, number);
    }

    /// Returns a register of a warp, lane by lane.
    public int[] register(int warp, int number) {
        int[] values = new int[Rows.LANES];
        int[] r = sm.block().warp(warp).registers;
        System.arraycopy(r, Rows.source(number), values, 0, Rows.LANES);
        return values;
    }

    /// Returns a pair of registers of the first warp, lane by lane.
    public long[] registerWide(int number) {
        int[] low = register(number);
        int[] high = register(number + 1);
        long[] values = new long[low.length];
        for (int i = 0; i < low.length; i++) {
            values[i] = (long) high[i] << Integer.SIZE | Integer.toUnsignedLong(low[i]);
        }
        return values;
    }

    /// Returns a predicate of the first warp, with one bit per lane.
    public int predicate(int number) {
        return sm.block().warp(0).predicates[number];
    }

    /// Returns the zero flag of the first warp, with one bit per lane.
    public int zero() {
        return sm.block().warp(0).zero;
    }

    public int sign() {
        return sm.block().warp(0).sign;
    }

    public int carry() {
        return sm.block().warp(0).carry;
    }

    public int overflow() {
        return sm.block().warp(0).overflow;
    }

    /// Returns an array of a warp's size with the same number in all elements.
    public static int[] filled(int value) {
        int[] values = new int[Rows.LANES];
        Arrays.fill(values, value);
        return values;
    }

    @Override
    public void close() {
        TestExecutionMode.close(kernels);
        gpu.close();
    }
}
