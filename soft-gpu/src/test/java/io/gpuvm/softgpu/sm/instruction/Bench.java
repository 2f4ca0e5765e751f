package io.gpuvm.softgpu.sm.instruction;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.softgpu.fifo.TestAddressSpace;
import io.gpuvm.softgpu.fifo.TestGpu;
import io.gpuvm.softgpu.sm.CodeLocation;
import io.gpuvm.softgpu.sm.ConstantBank;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.Kernels;
import io.gpuvm.softgpu.sm.Launch;
import io.gpuvm.softgpu.sm.MemoryWindows;
import io.gpuvm.softgpu.sm.Outcome;
import io.gpuvm.softgpu.sm.Sm;
import io.gpuvm.softgpu.sm.SmTrap;
import io.gpuvm.softgpu.sm.TestExecutionMode;
import io.gpuvm.softgpu.sm.TextureBindings;
import io.gpuvm.softgpu.sm.ThreadStorage;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Multiprocessor with memory for [InstructionCase]s: one thread per row loads the inputs, executes
/// the case's instructions and stores the results.
///
/// Registers from `R56` on are reserved for the bench. All addresses are below 4 GiB, so each fits
/// in a register.
final class Bench implements AutoCloseable {
    /// Offset of the first input in constant bank 0, in bytes, in runs with constants.
    static final int CONSTANTS_OFFSET = 0x100;

    /// Address of the data area of a case.
    static final int DATA = 0x50_0000;

    static final int DATA_BYTES = 0x1_0000;

    /// Number of the last texture header of the pool.
    static final int LAST_TEXTURE = 31;

    static final int SHARED_WINDOW = 0x0e00_0000;
    static final int LOCAL_WINDOW = 0x0f00_0000;
    static final int GRID_ID = 1;
    static final int ARGUMENT = 0x1000;
    static final int SHARED_BYTES = 0x1000;
    static final int LOCAL_BYTES = 0x100;

    private static final int CODE = 0x10_0000;
    private static final int INPUTS = 0x20_0000;
    private static final int RESULTS = 0x30_0000;
    private static final int CONSTANTS = 0x40_0000;
    private static final int TEXTURES = 0x60_0000;
    private static final int TEXTURE_HEADER_BYTES = 32;
    private static final int TEMP = 0x100_0000;
    private static final int TEMP_BYTES = 0x40_0000;
    private static final int AREA_BYTES = 0x1_0000;
    private static final int WORDS_PER_ROW = 16;
    private static final int MAX_THREADS = 1024;
    private static final int REGISTERS = 63;
    private static final int BARRIERS = 16;

    /// Maximum number of a case's rows that are run with constants and immediates.
    private static final int ROWS_PER_ENCODING = 8;

    private static final long LIMIT_INSTRUCTIONS = 10_000_000;

    private static final String BEFORE =
            """
            S2R R60, SR_TID.X
            SHL R60, R60, 0x6
            MOV32I R61, 0x%x
            IADD R61, R61, R60
            LD.128 R0, [R61]
            LD.128 R4, [R61+0x10]
            LD.128 R8, [R61+0x20]
            LD.128 R12, [R61+0x30]
            """
                    .formatted(INPUTS);

    private static final String AFTER =
            """
            S2R R60, SR_TID.X
            SHL R60, R60, 0x6
            MOV32I R61, 0x%x
            IADD R61, R61, R60
            ST.128 [R61], R16
            ST.128 [R61+0x10], R20
            ST.128 [R61+0x20], R24
            ST.128 [R61+0x30], R28
            EXIT
            """
                    .formatted(RESULTS);

    private final TestGpu gpu = new TestGpu();
    private final TestAddressSpace space = new TestAddressSpace(gpu);
    private final MemorySegment code = area(CODE, AREA_BYTES);
    private final MemorySegment inputs = area(INPUTS, AREA_BYTES);
    private final MemorySegment results = area(RESULTS, AREA_BYTES);
    private final MemorySegment constants = area(CONSTANTS, AREA_BYTES);
    private final MemorySegment data = area(DATA, DATA_BYTES);
    private final MemorySegment headers = area(TEXTURES, AREA_BYTES);
    private final Map<Integer, Integer> textures = new HashMap<>();
    private final Kernels kernels = TestExecutionMode.kernels();
    private final Sm sm = new Sm(0, gpu.mmu, System::nanoTime, kernels);
    private long version;
    private SmTrap trap;

    Bench() {
        area(TEMP, TEMP_BYTES);
    }

    @Override
    public void close() {
        TestExecutionMode.close(kernels);
        gpu.close();
    }

    private MemorySegment area(long gpuVa, long bytes) {
        long vram = gpu.allocate(bytes);
        space.mapVram(gpuVa, vram, bytes);
        return gpu.slice(vram, bytes);
    }

    /// Runs a case in all encodings.
    void check(InstructionCase instructions) {
        List<InstructionCase.Row> rows = instructions.rows();
        for (int from = 0; from < rows.size(); from += MAX_THREADS) {
            List<InstructionCase.Row> part =
                    rows.subList(from, Math.min(rows.size(), from + MAX_THREADS));
            check(instructions, Encodings.registers(instructions.text()), part);
        }
        int step = Math.max(1, rows.size() / ROWS_PER_ENCODING);
        for (int i = 0; i < rows.size(); i += step) {
            InstructionCase.Row row = rows.get(i);
            for (String text : Encodings.others(instructions.text(), row.inputs())) {
                for (int k = 0; k < row.inputs().length; k++) {
                    constant(CONSTANTS_OFFSET + k * Integer.BYTES, row.inputs()[k]);
                }
                check(instructions, text, List.of(row));
            }
        }
    }

    private void check(InstructionCase instructions, String text, List<InstructionCase.Row> rows) {
        instructions.constants().forEach(word -> constant(word.offset(), word.value()));
        instructions.dataBefore().forEach(word -> data(word.offset(), word.value()));
        int[][] actual =
                run(text, rows.stream().map(InstructionCase.Row::inputs).toArray(int[][]::new));
        for (int i = 0; i < rows.size(); i++) {
            int[] expected = rows.get(i).results();
            int[] got = Arrays.copyOf(actual[i], expected.length);
            if (!Arrays.equals(expected, got)) {
                String what = "%s of %s, thread %d of %d";
                String inputs = hex(rows.get(i).inputs());
                assertEquals(hex(expected), hex(got), what.formatted(text, inputs, i, rows.size()));
            }
        }
        for (InstructionCase.Word word : instructions.dataAfter()) {
            int value = data(word.offset());
            assertEquals(
                    word.value(),
                    value,
                    () -> "%s, data offset=%#x: value=%#x".formatted(text, word.offset(), value));
        }
    }

    /// Runs assembler text with one thread per row in one block; returns the values in each
    /// thread's registers from `R16` on.
    int[][] run(String text, int[]... rows) {
        Outcome outcome = outcome(text, rows);
        assertEquals(Outcome.BLOCK_DONE, outcome, () -> text + ": " + trap);
        int[][] out = new int[rows.length][WORDS_PER_ROW];
        for (int i = 0; i < rows.length; i++) {
            MemorySegment.copy(
                    results, ValueLayout.JAVA_INT_UNALIGNED, at(i, 0), out[i], 0, WORDS_PER_ROW);
        }
        return out;
    }

    /// Runs assembler text that may fail; [#trap()] then returns the error.
    Outcome outcome(String text, int[]... rows) {
        results.asSlice(0, at(rows.length, 0)).fill((byte) 0);
        inputs.asSlice(0, at(rows.length, 0)).fill((byte) 0);
        for (int i = 0; i < rows.length; i++) {
            MemorySegment.copy(
                    rows[i], 0, inputs, ValueLayout.JAVA_INT_UNALIGNED, at(i, 0), rows[i].length);
        }
        long[] words = Encodings.assemble(BEFORE + text + "\n" + AFTER);
        MemorySegment.copy(words, 0, code, ValueLayout.JAVA_LONG_UNALIGNED, 0, words.length);
        version++;
        sm.abandon();
        sm.load(launch(rows.length));
        sm.begin(0);
        long[] executed = new long[1];
        Outcome outcome =
                sm.run(instructions -> {
                    executed[0] += instructions;
                    return executed[0] > LIMIT_INSTRUCTIONS;
                });
        trap = outcome == Outcome.TRAPPED ? sm.trap() : null;
        return outcome;
    }

    /// Returns the error of the last run; null if there was none.
    SmTrap trap() {
        return trap;
    }

    /// Returns the offset of a case's first instruction from the start of the code, in bytes.
    static int caseOffset() {
        return (int) BEFORE.lines().count() * Long.BYTES;
    }

    /// Sets a word of constant bank 0.
    void constant(int offset, int value) {
        constants.set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
    }

    /// Sets a word of the data area at [#DATA].
    void data(int offset, int value) {
        data.set(ValueLayout.JAVA_INT_UNALIGNED, offset, value);
    }

    int data(int offset) {
        return data.get(ValueLayout.JAVA_INT_UNALIGNED, offset);
    }

    /// Assigns a header of the pool to a texture slot, and sets the header's words.
    void texture(int slot, int number, int... words) {
        textures.put(slot, number);
        MemorySegment.copy(
                words,
                0,
                headers,
                ValueLayout.JAVA_INT_UNALIGNED,
                (long) number * TEXTURE_HEADER_BYTES,
                words.length);
    }

    private static long at(int row, int word) {
        return ((long) row * WORDS_PER_ROW + word) * Integer.BYTES;
    }

    private Launch launch(int threads) {
        List<ConstantBank> banks = new ArrayList<>();
        for (int i = 0; i < ConstantBank.COUNT; i++) {
            banks.add(
                    i == 0 ? new ConstantBank(true, CONSTANTS, AREA_BYTES) : ConstantBank.UNBOUND);
        }
        return new Launch(
                new CodeLocation(CODE, 0, version),
                new Dimensions(1, 1, 1),
                new Dimensions(threads, 1, 1),
                GRID_ID,
                ARGUMENT,
                new ThreadStorage(REGISTERS, BARRIERS, SHARED_BYTES, LOCAL_BYTES, 0, 0x800),
                new MemoryWindows(SHARED_WINDOW, LOCAL_WINDOW, TEMP, TEMP_BYTES),
                banks,
                new TextureBindings(TEXTURES, LAST_TEXTURE, textures),
                MemoryTarget.VRAM,
                space.instance());
    }

    private static String hex(int[] values) {
        StringBuilder text = new StringBuilder("[");
        for (int value : values) {
            text.append(text.length() > 1 ? ", " : "").append("0x%08x".formatted(value));
        }
        return text.append(']').toString();
    }
}
