package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.NumericFormat;
import io.gpuvm.gf100.classes.TexelLayout;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.softgpu.fifo.TestGpu;
import io.gpuvm.softgpu.mmu.MmuFault;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;

/// Multiprocessor in the environment of [Playground], which runs kernels in one execution mode;
/// compares the results of two runs.
final class KernelRun implements AutoCloseable {
    /// Number of warp instructions after which a kernel is abandoned.
    private static final int MOST_INSTRUCTIONS = 100_000;

    private static final int GRID_X = 3;
    private static final int GRID_Y = 5;
    private static final int GRID_Z = 2;
    private static final int LONGEST_TURN = 100;
    private static final long PLACE_SEED = 1;
    private static final int TEXTURE_HEADER_BYTES = 32;
    private static final int TEXELS = 100;
    private static final int PATTERN_SPAN = 0x2000;
    private static final int FIRST_PATTERN = 0x800;

    final TestSm test;
    private final MemorySegment global;
    private final MemorySegment readOnly;
    private final MemorySegment local;
    private final byte[] globalBefore = new byte[Playground.GLOBAL_BYTES];
    private final byte[] localBefore;
    private int codeWords;
    private Outcome outcome;
    private SmTrap trap;
    private int executed;

    KernelRun(Kernels kernels) {
        test = new TestSm(0, kernels);
        TestGpu gpu = test.gpu;
        long vram = gpu.allocate(Playground.GLOBAL_BYTES);
        global = gpu.slice(vram, Playground.GLOBAL_BYTES);
        test.tables.mapVram(Playground.GLOBAL, vram, Playground.GLOBAL_BYTES);
        test.tables.mapVram(Playground.GLOBAL_LOW, vram, Playground.GLOBAL_BYTES);
        long page = gpu.allocate(TestGpu.PAGE_BYTES);
        readOnly = gpu.slice(page, TestGpu.PAGE_BYTES);
        test.tables.entry(
                PageSize.SMALL_4K,
                Playground.READ_ONLY,
                PageTableEntry.readOnly(PageTableEntry.of(MemoryTarget.VRAM, page)));
        local = test.localMemory(Playground.WARPS);
        localBefore = new byte[(int) local.byteSize()];
        Random random = new Random(PLACE_SEED);
        int[] bank = words(random, Playground.BANK_WORDS);
        bank[Playground.GLOBAL_AT / Integer.BYTES] = (int) Playground.GLOBAL;
        bank[Playground.GLOBAL_AT / Integer.BYTES + 1] = (int) (Playground.GLOBAL >>> Integer.SIZE);
        test.constants(Playground.BANK, bank);
        test.constants(Playground.OTHER_BANK, words(random, Playground.BANK_WORDS));
        for (int at = 0; at < TestGpu.PAGE_BYTES; at += Integer.BYTES) {
            readOnly.set(ValueLayout.JAVA_INT, at, RandomValues.word(random));
        }
        textures(page);
        fill(random, globalBefore);
        fill(random, localBefore);
        test.sharedBytes(Playground.SHARED_BYTES);
    }

    private static int[] words(Random random, int count) {
        return random.ints(count).map(_ -> RandomValues.word(random)).toArray();
    }

    private static void fill(Random random, byte[] bytes) {
        MemorySegment words = MemorySegment.ofArray(bytes);
        for (int at = 0; at < bytes.length; at += Integer.BYTES) {
            words.set(ValueLayout.JAVA_INT_UNALIGNED, at, RandomValues.word(random));
        }
    }

    /// Creates a texture in read-only memory; its header follows the texels.
    private void textures(long page) {
        int[] header =
                LinearTexture.of(TexelLayout.R32, NumericFormat.UINT, Playground.READ_ONLY, TEXELS)
                        .words();
        long at = TestGpu.PAGE_BYTES - TEXTURE_HEADER_BYTES;
        for (int i = 0; i < header.length; i++) {
            test.gpu.word(page + at + (long) i * Integer.BYTES, header[i]);
        }
        test.textures(
                new TextureBindings(Playground.READ_ONLY + at, 0, Map.of(Playground.TEXTURE, 0)));
    }

    /// Runs a kernel.
    ///
    /// @param seed seed of the initial register values
    void run(long[] words, int threads, long seed) {
        begin(words, threads, seed);
        finish(() -> false);
    }

    /// Runs a kernel that occasionally stops at safepoints, after which translations have changed.
    void runWithStops(long[] words, int threads, long seed) {
        begin(words, threads, seed);
        finish(new Random(seed)::nextBoolean);
    }

    /// Starts a kernel.
    void begin(long[] words, int threads, long seed) {
        MemorySegment.copy(globalBefore, 0, global, ValueLayout.JAVA_BYTE, 0, globalBefore.length);
        MemorySegment.copy(localBefore, 0, local, ValueLayout.JAVA_BYTE, 0, localBefore.length);
        // No code of the previous kernel may remain as a branch target for this kernel.
        long[] all = Arrays.copyOf(words, Math.max(words.length, codeWords));
        codeWords = words.length;
        test.code(all).registers(Playground.REGISTERS);
        Random random = new Random(seed);
        shape(random, threads);
        test.sm.abandon();
        test.load().begin(random.nextInt(GRID_X * GRID_Y * GRID_Z));
        for (int w = 0; w < test.sm.block().warps(); w++) {
            registers(random, test.sm.block().warp(w));
        }
        trap = null;
        executed = 0;
    }

    /// Arranges the threads in rows and layers.
    private void shape(Random random, int threads) {
        int x = threads;
        int y = 1;
        if (threads % 4 == 0 && random.nextBoolean()) {
            x = threads / 4;
            y = random.nextBoolean() ? 4 : 2;
        }
        test.block(x, y, threads / x / y).grid(GRID_X, GRID_Y, GRID_Z);
    }

    private void finish(BooleanSupplier stops) {
        while (true) {
            outcome =
                    test.sm.run(instructions -> {
                        executed += instructions;
                        return isEndless() || stops.getAsBoolean();
                    });
            if (outcome != Outcome.STOPPED || isEndless() || !isGoingOn()) {
                break;
            }
            changeTranslations();
        }
        trap = outcome == Outcome.TRAPPED ? test.sm.trap() : null;
    }

    private void changeTranslations() {
        test.gpu.mmu.invalidateTranslations();
        test.sm.refresh();
    }

    /// Runs the started kernel to its end, in turns of random length, warp and execution mode, with
    /// translations that occasionally change.
    void finishInTurns(Random random) {
        Interpreter interpreter = test.sm.interpreter();
        try {
            while (isGoingOn() && !isEndless()) {
                Warp warp = anyReady(random);
                CompiledKernel kernel = random.nextInt(3) == 0 ? null : test.sm.kernel().compiled();
                int most = 1 + random.nextInt(random.nextBoolean() ? 4 : LONGEST_TURN);
                executed +=
                        kernel == null
                                ? interpreter.run(warp, most)
                                : kernel.run(warp, interpreter, most);
                if (random.nextInt(16) == 0) {
                    changeTranslations();
                }
            }
            outcome = test.sm.block().aliveWarps() > 0 ? Outcome.STOPPED : Outcome.BLOCK_DONE;
        } catch (WarpTrap e) {
            outcome = Outcome.TRAPPED;
            trap = new SmTrap.InstructionError(e.error(), test.sm.position());
        } catch (MmuFault e) {
            outcome = Outcome.TRAPPED;
            trap = new SmTrap.MemoryFault(e.reason(), e.gpuVa(), e.isWrite(), test.sm.position());
        }
    }

    private Warp anyReady(Random random) {
        Block block = test.sm.block();
        while (true) {
            Warp warp = block.warp(random.nextInt(block.warps()));
            if (!warp.isDone() && warp.barrier < 0) {
                return warp;
            }
        }
    }

    /// Returns whether any warp can continue.
    private boolean isGoingOn() {
        Block block = test.sm.block();
        for (int w = 0; w < block.warps(); w++) {
            if (!block.warp(w).isDone() && block.warp(w).barrier < 0) {
                return true;
            }
        }
        return false;
    }

    /// Returns whether the kernel was abandoned, in which case its results depend on timing.
    boolean isEndless() {
        return executed > MOST_INSTRUCTIONS;
    }

    /// Returns whether one of several warps trapped, so that the first trapped warp and the
    /// progress of the other warps are unspecified.
    boolean isKnownByOutcome() {
        return outcome == Outcome.TRAPPED && test.sm.block().warps() > 1;
    }

    Outcome outcome() {
        return outcome;
    }

    private static void registers(Random random, Warp warp) {
        int[] values = new int[Rows.LANES];
        for (int register = 0; register < Playground.WORK; register++) {
            RandomValues.row(random, values);
            put(warp, register, values);
        }
        for (int register = Playground.UNIFORM; register < Playground.UNIFORM_END; register++) {
            same(warp, register, RandomValues.word(random));
        }
        long part = Playground.GLOBAL + (long) warp.number * Playground.WARP_GLOBAL_BYTES;
        wide(random, warp, Playground.GLOBAL_16, part, 16);
        wide(random, warp, Playground.GLOBAL_8, part, 8);
        wide(random, warp, Playground.GLOBAL_4, part, 4);
        wide(random, warp, Playground.COMPUTED, part, 16);
        int sharedPart = warp.number * Playground.WARP_SHARED_BYTES;
        int[] shared = {
            Playground.SHARED_16, Playground.SHARED_4, Playground.COMPUTED_SHARED,
        };
        for (int register : shared) {
            int align = register == Playground.SHARED_4 ? 4 : 16;
            put(warp, register, pattern(random, sharedPart + 0x100, 0x200, align));
        }
        same(warp, Playground.LOCAL, 64 + (random.nextInt(96) & -16));
        put(warp, Playground.LOCAL_LANES, pattern(random, 64, 96, 16));
        int lowPart = Playground.GLOBAL_LOW + warp.number * Playground.WARP_GLOBAL_BYTES;
        put(
                warp,
                Playground.LOW_GLOBAL,
                pattern(random, lowPart + FIRST_PATTERN, PATTERN_SPAN, 16));
        put(
                warp,
                Playground.LOW_SHARED,
                pattern(random, TestSm.SHARED_WINDOW + sharedPart + 0x100, 0x200, 16));
        put(warp, Playground.LOW_LOCAL, pattern(random, TestSm.LOCAL_WINDOW + 64, 96, 16));
        put(warp, Playground.CONSTANT, pattern(random, 0, 0x200, 16));
        same(warp, Playground.GLOBAL_START, warp.number * Playground.WARP_GLOBAL_BYTES);
        same(warp, Playground.SHARED_START, sharedPart);
        for (int l = 0; l < Rows.LANES; l++) {
            values[l] = warp.number * Rows.LANES + l;
        }
        put(warp, Playground.THREAD, values);
        for (int predicate = 0; predicate < Warp.TRUE_PREDICATE; predicate++) {
            warp.predicates[predicate] = lanes(random);
        }
        warp.conditions(-1, lanes(random), lanes(random), lanes(random), lanes(random));
    }

    private static int lanes(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> -1;
            default -> random.nextInt();
        };
    }

    private static void wide(Random random, Warp warp, int register, long part, int align) {
        int[] offsets = pattern(random, FIRST_PATTERN, PATTERN_SPAN, align);
        int[] r = warp.registers;
        for (int l = 0; l < Rows.LANES; l++) {
            long address = part + offsets[l];
            r[Rows.source(register) + l] = (int) address;
            r[Rows.source(register + 1) + l] = (int) (address >>> Integer.SIZE);
        }
    }

    /// Returns addresses in patterns of real threads: contiguous, in rows, equal or random.
    private static int[] pattern(Random random, int from, int bytes, int align) {
        int[] addresses = new int[Rows.LANES];
        int kind = random.nextInt(8);
        int start = random.nextInt(bytes);
        int step = random.nextInt(4) + 1;
        for (int l = 0; l < addresses.length; l++) {
            int into =
                    switch (kind) {
                        case 0 -> start;
                        case 1, 2 -> start + l * align;
                        case 3 -> start + (l & 15) * align + (l >> 4) * 256;
                        case 4 -> start + l * align * step;
                        case 5 -> start + (31 - l) * align;
                        case 6 -> start + l / 2 * align;
                        default -> random.nextInt(bytes);
                    };
            addresses[l] = from + into % bytes & -align;
        }
        return addresses;
    }

    private static void same(Warp warp, int register, int value) {
        put(warp, register, TestSm.filled(value));
    }

    private static void put(Warp warp, int register, int[] values) {
        System.arraycopy(values, 0, warp.registers, Rows.source(register), Rows.LANES);
    }

    /// Returns the first difference between the results of this run and another; null if the
    /// comparable results are equal. Abandoned kernels, results for which [#isKnownByOutcome()] is
    /// true, and the registers of a trapped block are not comparable.
    ///
    /// @param isWhole whether registers, predicates and condition codes are compared, in addition
    ///   to memory
    String difference(KernelRun other, boolean isWhole) {
        if (isEndless() || other.isEndless()) {
            return null;
        }
        if (outcome != other.outcome) {
            return "%s and %s, trap %s and %s".formatted(outcome, other.outcome, trap, other.trap);
        }
        if (isKnownByOutcome()) {
            return null;
        }
        if (outcome == Outcome.TRAPPED) {
            if (!trap.equals(other.trap)) {
                return "trap %s and %s".formatted(trap, other.trap);
            }
            return memoryDifference(other);
        }
        for (int w = 0; isWhole && w < test.sm.block().warps(); w++) {
            String found = difference(test.sm.block().warp(w), other.test.sm.block().warp(w));
            if (found != null) {
                return "warp %d: %s".formatted(w, found);
            }
        }
        return memoryDifference(other);
    }

    private static String difference(Warp one, Warp other) {
        for (int register = 0; register < Playground.REGISTERS; register++) {
            for (int l = 0; l < Rows.LANES; l++) {
                int a = one.registers[Rows.source(register) + l];
                int b = other.registers[Rows.source(register) + l];
                if (a != b && (one.threads >>> l & 1) != 0) {
                    return "R%d of lane %d is %08x and %08x".formatted(register, l, a, b);
                }
            }
        }
        for (int predicate = 0; predicate < Warp.TRUE_PREDICATE; predicate++) {
            int a = one.predicates[predicate] & one.threads;
            int b = other.predicates[predicate] & one.threads;
            if (a != b) {
                return "P%d is %08x and %08x".formatted(predicate, a, b);
            }
        }
        int[] a = {one.zero, one.sign, one.carry, one.overflow, one.alive};
        int[] b = {other.zero, other.sign, other.carry, other.overflow, other.alive};
        String[] names = {"zero", "sign", "carry", "overflow", "alive"};
        for (int i = 0; i < names.length; i++) {
            if (((a[i] ^ b[i]) & one.threads) != 0) {
                return "%s is %08x and %08x".formatted(names[i], a[i], b[i]);
            }
        }
        return null;
    }

    private String memoryDifference(KernelRun other) {
        String found = difference("global memory", global, other.global);
        found = found != null ? found : difference("local memory", local, other.local);
        found = found != null ? found : difference("read-only page", readOnly, other.readOnly);
        return found != null ? found : difference("shared memory", shared(), other.shared());
    }

    private MemorySegment shared() {
        return MemorySegment.ofArray(test.sm.sharedMemory());
    }

    private static String difference(String what, MemorySegment one, MemorySegment other) {
        long at = one.mismatch(other);
        if (at < 0) {
            return null;
        }
        long word = at & -Integer.BYTES;
        return "%s at %#x is %08x and %08x"
                .formatted(
                        what,
                        at,
                        one.get(ValueLayout.JAVA_INT_UNALIGNED, word),
                        other.get(ValueLayout.JAVA_INT_UNALIGNED, word));
    }

    @Override
    public void close() {
        test.close();
    }
}
