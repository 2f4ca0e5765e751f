package io.gpuvm.ptx.generator;

import java.util.SplittableRandom;

/// Writes random programs.
public final class ProgramWriter {
    /// Numbers of inputs of a thread: integers and doubles of 8 bytes, floats of 4 bytes.
    static final int INTEGER_INPUTS = 13;

    static final int FLOAT_INPUTS = 8;
    static final int DOUBLE_INPUTS = 4;

    private static final String FERMI = ".version 6.0\n.target sm_20\n.address_size 64\n";
    private static final String NEWER = ".version 6.3\n.target sm_50\n.address_size 64\n";
    private static final int FUNCTIONS = 2;
    private static final int TABLE_WORDS = 16;
    private static final int LOCAL_BYTES = 64;

    /// Bytes of shared memory that only one thread accesses.
    private static final int PART_BYTES = 16;

    private static final int MAX_DEPTH = 3;

    private final SplittableRandom random;
    private final long seed;
    private final int size;
    private final boolean newer;

    private ProgramWriter(long seed, int size, boolean newer) {
        this.seed = seed;
        this.newer = newer;
        this.size = size;
        random = new SplittableRandom(seed);
    }

    /// Returns the program of a seed.
    ///
    /// @param size approximate number of statements, at least 1
    public static RandomProgram write(long seed, int size) {
        return new ProgramWriter(seed, size, false).program();
    }

    /// Returns the program of a seed for the target sm_50, with instructions of newer targets that
    /// Fermi can express, generic addresses and calls through pointers.
    ///
    /// @param size approximate number of statements, at least 1
    public static RandomProgram writeForNewerTarget(long seed, int size) {
        return new ProgramWriter(seed, size, true).program();
    }

    private RandomProgram program() {
        int threads = 32 * (1 + random.nextInt(3)) - (random.nextInt(4) == 0 ? 5 : 0);
        StringBuilder source = new StringBuilder(newer ? NEWER : FERMI);
        source.append(".const .align 16 .b32 table[").append(TABLE_WORDS).append("] = {");
        for (int i = 0; i < TABLE_WORDS; i++) {
            source.append(i == 0 ? "" : ", ").append(random.nextInt());
        }
        source.append("};\n");
        int functions = newer ? FUNCTIONS + 1 : FUNCTIONS;
        for (int i = 0; i < functions; i++) {
            source.append(function(i));
        }
        source.append(kernel(threads));
        return new RandomProgram(seed, source.toString(), threads, 1 + random.nextInt(2));
    }

    private static void registers(ProgramText t) {
        t.line(".reg .b16 %%h<%d>, %%th<1000000>;", ProgramText.HALVES);
        t.line(".reg .b32 %%r<%d>, %%tr<1000000>;", ProgramText.WORDS);
        t.line(".reg .b64 %%d<%d>, %%td<1000000>;", ProgramText.LONGS);
        t.line(".reg .f32 %%f<%d>;", ProgramText.FLOATS);
        t.line(".reg .f64 %%g<%d>;", ProgramText.DOUBLES);
        t.line(".reg .pred %%p<%d>, %%tp<1000000>;", ProgramText.PREDICATES);
    }

    /// Writes a function of an integer of 32 and one of 64 bits with a result of 32 bits. The
    /// second function has its parameters in registers. A function calls those before it.
    private String function(int index) {
        ProgramText t = new ProgramText(random.split(), newer);
        boolean inRegisters = index == 1;
        String head =
                inRegisters
                        ? ".func (.reg .b32 result) f1(.reg .b32 x, .reg .b64 y)\n{\n"
                        : ".func (.param .b32 result) f%d(.param .b32 x, .param .b64 y)\n{\n"
                                .formatted(index);
        registers(t);
        if (inRegisters) {
            t.line("mov.b32 %%r0, x;");
            t.line("mov.b64 %%d0, y;");
        } else {
            t.line("ld.param.b32 %%r0, [x];");
            t.line("ld.param.b64 %%d0, [y];");
        }
        initializeFrom(t);
        StatementWriter statements =
                new StatementWriter(
                        t,
                        index,
                        inRegisters ? "mov.b32 result, %s;" : "st.param.b32 [result], %s;");
        statements.statements(Math.max(1, size / 8), MAX_DEPTH - 1);
        if (inRegisters) {
            t.line("xor.b32 result, %%r1, %%r2;");
        } else {
            t.line("st.param.b32 [result], %%r1;");
        }
        t.line("ret;");
        return head + t.text() + "}\n";
    }

    /// Gives all registers a value that depends on the parameters.
    private static void initializeFrom(ProgramText t) {
        for (int i = 1; i < ProgramText.WORDS; i++) {
            t.line("add.s32 %%r%d, %%r0, %d;", i, i * 77);
        }
        for (int i = 1; i < ProgramText.LONGS; i++) {
            t.line("mad.wide.s32 %%d%d, %%r%d, %d, %%d0;", i, i, 1000 + i);
        }
        for (int i = 0; i < ProgramText.HALVES; i++) {
            t.line("cvt.u16.u32 %%h%d, %%r%d;", i, i);
        }
        for (int i = 0; i < ProgramText.FLOATS; i++) {
            t.line("cvt.rn.f32.s32 %%f%d, %%r%d;", i, i);
        }
        for (int i = 0; i < ProgramText.DOUBLES; i++) {
            t.line("cvt.rn.f64.s64 %%g%d, %%d%d;", i, i);
        }
        for (int i = 0; i < ProgramText.PREDICATES; i++) {
            t.line("setp.gt.s32 %%p%d, %%r%d, %d;", i, i, i * 100);
        }
    }

    private String kernel(int threads) {
        ProgramText t = new ProgramText(random.split(), newer);
        StringBuilder text = new StringBuilder();
        text.append(".visible .entry ").append(RandomProgram.KERNEL);
        text.append("(.param .u64 in, .param .u64 out, .param .u64 sums)\n{\n");
        registers(t);
        t.line(".reg .b32 %%thread, %%local<2>;");
        t.line(".reg .b64 %%in, %%out, %%sums;");
        t.line(".local .align 16 .b8 locals[%d];", LOCAL_BYTES);
        t.line(".shared .align 16 .b8 exchange[%d];", 128 * Long.BYTES);
        t.line(".shared .align 16 .b8 parts[%d];", 128 * PART_BYTES);
        t.line("mov.u32 %%tr0, %%ctaid.x;");
        t.line("mov.u32 %%tr1, %%ntid.x;");
        t.line("mov.u32 %%local0, %%tid.x;");
        t.line("mad.lo.u32 %%thread, %%tr0, %%tr1, %%local0;");
        t.line("ld.param.u64 %%in, [in];");
        t.line("ld.param.u64 %%out, [out];");
        t.line("ld.param.u64 %%sums, [sums];");
        t.line("mad.wide.u32 %%in, %%thread, %d, %%in;", RandomProgram.INPUT_BYTES);
        t.line("mad.wide.u32 %%out, %%thread, %d, %%out;", RandomProgram.OUTPUT_BYTES);
        load(t);
        StatementWriter statements =
                new StatementWriter(t, newer ? FUNCTIONS + 1 : FUNCTIONS, null);
        int parts = 1 + random.nextInt(3);
        for (int i = 0; i < parts; i++) {
            statements.statements(Math.max(1, size / parts), MAX_DEPTH);
            statements.together(threads);
        }
        store(t);
        t.line("exit;");
        return text + t.text() + "}\n";
    }

    /// Loads all registers, and initializes the local memory and the thread's shared memory.
    private void load(ProgramText t) {
        int offset = 0;
        for (int i = 0; i < ProgramText.WORDS; i++) {
            t.line("ld.global.b32 %%r%d, [%%in+%d];", i, offset);
            offset += Long.BYTES;
        }
        for (int i = 0; i < ProgramText.LONGS; i++) {
            t.line("ld.global.u64 %%d%d, [%%in+%d];", i, offset);
            offset += Long.BYTES;
        }
        for (int i = 0; i < ProgramText.HALVES; i++) {
            t.line("ld.global.u16 %%h%d, [%%in+%d];", i, i * Long.BYTES + 2);
        }
        for (int i = 0; i < ProgramText.FLOATS; i++) {
            t.line("ld.global.f32 %%f%d, [%%in+%d];", i, offset + i * Float.BYTES);
        }
        offset += FLOAT_INPUTS * Float.BYTES;
        for (int i = 0; i < ProgramText.DOUBLES; i++) {
            t.line("ld.global.f64 %%g%d, [%%in+%d];", i, offset + i * Double.BYTES);
        }
        for (int i = 0; i < ProgramText.PREDICATES; i++) {
            t.line("setp.gt.s32 %%p%d, %%r%d, %d;", i, i, i);
        }
        for (int i = 0; i < LOCAL_BYTES; i += Long.BYTES) {
            t.line("st.local.b64 [locals+%d], %%d0;", i);
        }
        t.line("mov.u32 %%local1, parts;");
        t.line("mad.lo.u32 %%local1, %%local0, %d, %%local1;", PART_BYTES);
        for (int i = 0; i < PART_BYTES; i += Long.BYTES) {
            t.line("st.shared.b64 [%%local1+%d], %%d1;", i);
        }
    }

    /// Stores all registers; every NaN has the same bits.
    private void store(ProgramText t) {
        int offset = 0;
        for (int i = 0; i < ProgramText.LONGS; i++) {
            t.line("st.global.b64 [%%out+%d], %%d%d;", offset, i);
            offset += Long.BYTES;
        }
        for (int i = 0; i < ProgramText.DOUBLES; i++) {
            t.line("testp.number.f64 %%tp0, %%g%d;", i);
            t.line("selp.f64 %%g%d, %%g%d, 0d7FF8000000000000, %%tp0;", i, i);
            t.line("st.global.f64 [%%out+%d], %%g%d;", offset, i);
            offset += Double.BYTES;
        }
        for (int i = 0; i < ProgramText.WORDS; i++) {
            t.line("st.global.u32 [%%out+%d], %%r%d;", offset, i);
            offset += Integer.BYTES;
        }
        for (int i = 0; i < ProgramText.FLOATS; i++) {
            t.line("testp.number.f32 %%tp0, %%f%d;", i);
            t.line("selp.f32 %%f%d, %%f%d, 0f7FFFFFFF, %%tp0;", i, i);
            t.line("st.global.f32 [%%out+%d], %%f%d;", offset, i);
            offset += Float.BYTES;
        }
        for (int i = 0; i < ProgramText.HALVES; i++) {
            t.line("st.global.u16 [%%out+%d], %%h%d;", offset, i);
            offset += Short.BYTES;
        }
        for (int i = 0; i < ProgramText.PREDICATES; i++) {
            t.line("selp.u32 %%tr0, 1, 0, %%p%d;", i);
            t.line("st.global.u8 [%%out+%d], %%tr0;", offset);
            offset += 1;
        }
    }
}
