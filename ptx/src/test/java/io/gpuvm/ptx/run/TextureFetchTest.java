package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.NumericFormat;
import io.gpuvm.gf100.classes.TexelLayout;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.isa.Field;
import io.gpuvm.gf100.isa.Form;
import io.gpuvm.gf100.isa.InstructionTable;
import io.gpuvm.gf100.isa.Opcode;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxLinker;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.interpreter.MachineTexture;
import io.gpuvm.ptx.interpreter.MachineTexture.Channel;
import io.gpuvm.ptx.interpreter.PtxMachine;
import io.gpuvm.ptx.syntax.Diagnostic;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Fetches from textures of linear memory: results, the textures in the cubin, and refused forms.
class TextureFetchTest {
    private static final int THREADS = BodyKernel.THREADS;
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int TEXEL_WORDS = 64;

    /// First line of a kernel's body.
    private static final int BODY = 21;

    private static final String TEXTURES =
            """
            .global .texref a;
            .visible .global .texref b;
            .tex .u32 c;
            """;

    /// Format of a texture, for the GPU and for the interpreter.
    private enum Format {
        F32(TexelLayout.of(1, 32), NumericFormat.FLOAT, Channel.FLOAT),
        U32X2(TexelLayout.of(2, 32), NumericFormat.UINT, Channel.UNSIGNED),
        S32X4(TexelLayout.of(4, 32), NumericFormat.SINT, Channel.SIGNED),
        F16X2(TexelLayout.of(2, 16), NumericFormat.FLOAT, Channel.FLOAT),
        S16(TexelLayout.of(1, 16), NumericFormat.SINT, Channel.SIGNED),
        U16X4(TexelLayout.of(4, 16), NumericFormat.UINT, Channel.UNSIGNED),
        S8X4(TexelLayout.of(4, 8), NumericFormat.SINT, Channel.SIGNED),
        U8(TexelLayout.of(1, 8), NumericFormat.UINT, Channel.UNSIGNED),
        UNORM8X4(TexelLayout.of(4, 8), NumericFormat.UNORM, Channel.FRACTION),
        UNORM16(TexelLayout.of(1, 16), NumericFormat.UNORM, Channel.FRACTION),
        SNORM8X2(TexelLayout.of(2, 8), NumericFormat.SNORM, Channel.SIGNED_FRACTION),
        SNORM16X4(TexelLayout.of(4, 16), NumericFormat.SNORM, Channel.SIGNED_FRACTION);

        private final TexelLayout layout;
        private final NumericFormat encoding;
        private final Channel channel;

        Format(TexelLayout layout, NumericFormat encoding, Channel channel) {
            this.layout = layout;
            this.encoding = encoding;
            this.channel = channel;
        }

        /// Number of texels in the words of a texture, without the last one.
        private int texels() {
            return TEXEL_WORDS * Integer.BYTES / layout.bytes() - 1;
        }
    }

    private static int[] texels(int seed) {
        int[] words = new int[TEXEL_WORDS];
        Arrays.setAll(words, i -> 0x9e37_79b9 * (i + 1 + 1000 * seed));
        return words;
    }

    private static byte[] bytes(int[] words) {
        ByteBuffer bytes =
                ByteBuffer.allocate(words.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(words);
        return bytes.array();
    }

    /// Returns the words that a kernel of [BodyKernel] stores if the interpreter runs it.
    private static int[] interpret(String source, Map<String, Format> textures) {
        PtxMachine machine = new PtxMachine(Sources.module(source), MEMORY_BYTES);
        int seed = 0;
        for (String name : textures.keySet().stream().sorted().toList()) {
            Format format = textures.get(name);
            long at = machine.allocate(TEXEL_WORDS * Integer.BYTES);
            machine.write(at, bytes(texels(seed++)));
            machine.bind(
                    name,
                    new MachineTexture(
                            at,
                            format.texels(),
                            format.layout.channels(),
                            format.layout.bits(),
                            format.channel));
        }
        int[] input = IntStream.range(0, THREADS).map(BodyKernel::in).toArray();
        long in = machine.allocate(THREADS * Integer.BYTES);
        long out = machine.allocate(THREADS * Integer.BYTES);
        machine.write(in, bytes(input));
        ByteBuffer arguments = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        arguments.putLong(in).putLong(out);
        machine.launch(
                "k", PtxMachine.Size.of(1), PtxMachine.Size.of(THREADS), 0, arguments.array());
        int[] found = new int[THREADS];
        ByteBuffer.wrap(machine.read(out, THREADS * Integer.BYTES))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(found);
        return found;
    }

    /// Returns the words that a kernel of [BodyKernel] stores on the software GPU.
    private static int[] run(Cubin cubin, ExecutionMode mode, Map<String, Format> textures) {
        try (KernelBench bench = new KernelBench(cubin, mode)) {
            int seed = 0;
            for (String name : textures.keySet().stream().sorted().toList()) {
                Format format = textures.get(name);
                long at = bench.words(texels(seed++));
                bench.bind(
                        name,
                        LinearTexture.of(format.layout, format.encoding, at, format.texels()));
            }
            long in = bench.words(IntStream.range(0, THREADS).map(BodyKernel::in).toArray());
            long out = bench.allocate(THREADS * Integer.BYTES);
            Dimensions block = new Dimensions(THREADS, 1, 1);
            bench.launch("k", new Dimensions(1, 1, 1), block, 0, in, out);
            return bench.read(out, THREADS);
        }
    }

    /// Compares the words that a kernel stores on the software GPU with those of the interpreter.
    private static void check(String declarations, String body, Map<String, Format> textures) {
        String source = BodyKernel.source(declarations, body);
        int[] expected = interpret(source, textures);
        for (PtxOptions options :
                List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
            Cubin cubin = Cubin.read(BodyKernel.compile(source, options).toBytes());
            for (ExecutionMode mode : List.of(ExecutionMode.INTERPRETER, ExecutionMode.COMPILED)) {
                assertEquals(
                        Arrays.toString(expected),
                        Arrays.toString(run(cubin, mode, textures)),
                        options + ", " + mode);
            }
        }
    }

    private static List<String> textures(Cubin cubin, String function) {
        return cubin.function(function).textures().stream().map(TextureSlot::name).toList();
    }

    /// Returns the values of a field in the fetches of a function.
    private static List<Integer> fields(CubinFunction function, Field field) {
        List<Integer> found = new ArrayList<>();
        for (long word : function.code().toArray(ValueLayout.JAVA_LONG_UNALIGNED)) {
            Form form = InstructionTable.find(word);
            if (form.opcode() == Opcode.TLD) {
                found.add(form.get(field, word));
            }
        }
        return found;
    }

    @Test
    void givenFormats_whenComponentsAreFetched_thenTheyEqualInterpreters() {
        for (Format format : Format.values()) {
            // Threads read texels before, in and behind the memory.
            check(
                    TEXTURES,
                    """
                    add.s32 %t0, %i, -4;
                    tex.1d.v4.u32.s32 {%t10, %t11, %t12, %t13}, [a, {%t0}];
                    mad.lo.s32 %t10, %t10, 31, %t11;
                    mad.lo.s32 %t10, %t10, 31, %t12;
                    mad.lo.s32 %t1, %t10, 31, %t13;
                    """,
                    Map.of("a", format));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a, {%t2}]", "[a, %t2]", "[a, {%t2, %t3, %t3, %t3}]"})
    void givenFormsOfCoordinate_whenFetched_thenTexelIsRead(String operand) {
        check(
                TEXTURES,
                "add.s32 %t2, %i, 1; tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, OPERAND;"
                                .replace("OPERAND", operand)
                        + " mov.b32 %t1, %f1;",
                Map.of("a", Format.F32));
    }

    @Test
    void givenConstantIndex_whenFetched_thenTexelIsRead() {
        check(
                TEXTURES,
                "tex.1d.v4.u32.s32 {%t2, %t3, %t4, %t5}, [a, {0}];"
                        + " tex.1d.v4.u32.s32 {%t6, %t7, %t8, %t9}, [a, {7}];"
                        + " xor.b32 %t1, %t3, %t6;",
                Map.of("a", Format.S32X4));
    }

    @Test
    void givenGuard_whenFetched_thenOtherThreadsKeepTheirRegisters() {
        check(
                TEXTURES,
                """
                setp.gt.u32 %p0, %i, 20;
                mov.u32 %t1, %i;
                mov.u32 %t3, 5;
                @%p0 tex.1d.v4.u32.s32 {%t1, %t2, %t3, %t4}, [a, {%i}];
                @!%p0 mov.u32 %t2, 3;
                add.s32 %t1, %t1, %t2;
                add.s32 %t1, %t1, %t3;
                """,
                Map.of("a", Format.U32X2));
    }

    @Test
    void givenBranch_whenFetchIsOnOneSide_thenOtherThreadsKeepTheirRegisters() {
        check(
                TEXTURES,
                """
                mov.u32 %t1, 9;
                setp.gt.u32 %p0, %i, 20;
                @%p0 bra END;
                tex.1d.v4.u32.s32 {%t1, %t2, %t3, %t4}, [a, {%i}];
                END:
                """,
                Map.of("a", Format.S16));
    }

    @Test
    void givenWideRegisters_whenFetched_thenUpperWordsAreZero() {
        check(
                TEXTURES,
                """
                mov.u64 %rd2, -1;
                tex.1d.v4.u32.s32 {%t2, %rd2, _, %t4}, [a, {%i}];
                shr.u64 %rd3, %rd2, 32;
                cvt.u32.u64 %t3, %rd3;
                cvt.u32.u64 %t1, %rd2;
                add.s32 %t1, %t1, %t3;
                """,
                Map.of("a", Format.S32X4));
    }

    @Test
    void givenSeveralTextures_whenFetched_thenEachIsRead() {
        check(
                TEXTURES,
                """
                tex.1d.v4.u32.s32 {%t2, _, _, _}, [b, {%i}];
                tex.1d.v4.u32.s32 {%t3, _, _, _}, [a, {%i}];
                tex.1d.v4.u32.s32 {_, %t4, _, _}, [c, {%i}];
                mad.lo.s32 %t1, %t2, 17, %t3;
                mad.lo.s32 %t1, %t1, 17, %t4;
                """,
                Map.of("a", Format.F32, "b", Format.S8X4, "c", Format.U16X4));
    }

    @Test
    void givenKnownHandle_whenFetchedInLoop_thenCodeContainsOnlyTheSlot() {
        String body =
                """
                mov.u64 %rd2, b;
                mov.b64 %rd3, %rd2;
                mov.u32 %t1, 0;
                mov.u32 %t2, 0;
                LOOP:
                tex.1d.v4.u32.s32 {%t3, %t4, %t5, %t6}, [%rd3, {%t2}];
                add.s32 %t1, %t1, %t3;
                add.s32 %t2, %t2, 1;
                setp.lt.s32 %p0, %t2, 10;
                @%p0 bra LOOP;
                """;
        check(TEXTURES, body, Map.of("b", Format.F32));
        Cubin cubin = BodyKernel.compile(BodyKernel.source(TEXTURES, body), PtxOptions.DEFAULT);
        assertEquals(List.of(new TextureSlot("b", 0)), cubin.function("k").textures());
        assertEquals(List.of(0), fields(cubin.function("k"), Field.TEXTURE));
    }

    @Test
    void givenHandlesOfThreads_whenFetched_thenEachReadsItsTexture() {
        check(
                TEXTURES,
                """
                mov.u64 %rd2, a;
                mov.u64 %rd3, b;
                and.b32 %t2, %i, 1;
                setp.ne.u32 %p0, %t2, 0;
                selp.b64 %rd4, %rd2, %rd3, %p0;
                setp.lt.u32 %p1, %i, 50;
                mov.u32 %t3, 77;
                @%p1 tex.1d.v4.u32.s32 {%t3, %t4, %t5, %t6}, [%rd4, {%i}];
                mov.u32 %t1, %t3;
                """,
                Map.of("a", Format.F32, "b", Format.U8));
    }

    @Test
    void givenHandleInLocalMemory_whenFetched_thenTextureIsRead() {
        check(
                TEXTURES,
                """
                .local .u64 place;
                mov.u64 %rd2, a;
                st.local.u64 [place], %rd2;
                tex.1d.v4.u32.s32 {%t5, %t6, %t7, %t8}, [b, {%i}];
                ld.local.u64 %rd4, [place];
                tex.1d.v4.u32.s32 {%t1, %t2, %t3, %t4}, [%rd4, {%i}];
                add.s32 %t1, %t1, %t5;
                """,
                Map.of("a", Format.F32, "b", Format.U8));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, 0x1_0000_0001L, -1, 0x41_0000_0000L})
    void givenUnknownHandle_whenFetched_thenKernelTraps(long handle) {
        String source =
                BodyKernel.source(
                        TEXTURES,
                        """
                        mov.u64 %%rd4, a;
                        mov.u64 %%rd5, b;
                        cvt.u64.u32 %%rd6, %%i;
                        shr.u64 %%rd6, %%rd6, 20;
                        add.s64 %%rd6, %%rd6, %d;
                        setp.eq.u32 %%p0, %%i, 3;
                        selp.b64 %%rd4, %%rd6, %%rd4, %%p0;
                        tex.1d.v4.u32.s32 {%%t1, %%t2, %%t3, %%t4}, [%%rd4, {%%i}];
                        tex.1d.v4.u32.s32 {%%t5, %%t2, %%t3, %%t4}, [%%rd5, {%%i}];
                        add.s32 %%t1, %%t1, %%t5;
                        """
                                .formatted(handle));
        Cubin cubin = BodyKernel.compile(source, PtxOptions.DEFAULT);
        Map<String, Format> textures = Map.of("a", Format.F32, "b", Format.F32);
        AssertionError error =
                assertThrows(
                        AssertionError.class,
                        () -> run(cubin, ExecutionMode.INTERPRETER, textures));
        assertTrue(error.getMessage().startsWith("TRAPPED"), error::getMessage);
    }

    @ParameterizedTest
    @CsvSource({"'%t1, %t2, %t3, %t4', 1", "'%t2, %t1, %t3, %t4', 2", "'%t2, %t3, %t4, %t1', 8"})
    void givenOneComponentUsed_whenCompiled_thenFetchReadsItAlone(String results, int mask) {
        String body = "tex.1d.v4.u32.s32 {" + results + "}, [a, {%i}];";
        check(TEXTURES, body, Map.of("a", Format.S32X4));
        CubinFunction kernel =
                BodyKernel.compile(BodyKernel.source(TEXTURES, body), PtxOptions.DEFAULT)
                        .function("k");
        assertEquals(List.of(mask), fields(kernel, Field.COMPONENTS));
        assertTrue(kernel.registers() <= 10, () -> "registers=" + kernel.registers());
    }

    @Test
    void givenUnusedFetch_whenCompiled_thenTextureIsNotNeeded() {
        String source =
                BodyKernel.source(
                        TEXTURES,
                        "tex.1d.v4.u32.s32 {%t2, %t3, %t4, %t5}, [a, {%i}]; mov.u32 %t1, 1;");
        Cubin cubin = BodyKernel.compile(source, PtxOptions.DEFAULT);
        assertEquals(List.of(), textures(cubin, "k"));
    }

    @Test
    void givenTextures_whenCompiled_thenTheyAreNoVariablesInMemory() {
        String source =
                BodyKernel.source(
                        TEXTURES + ".visible .global .u32 word;",
                        "tex.1d.v4.u32.s32 {%t1, %t2, %t3, %t4}, [b, {%i}];");
        Cubin cubin = Cubin.read(BodyKernel.compile(source, PtxOptions.DEFAULT).toBytes());
        assertEquals(List.of("word"), cubin.symbols().stream().map(DataSymbol::name).toList());
        assertEquals(Integer.BYTES, cubin.globalBytes());
    }

    /// Functions `f`, which reads `a`, and `g`, which reads `b`.
    private static final String FUNCTIONS =
            TEXTURES
                    + """
                    .visible .func (.reg .u32 r) f(.reg .u32 i) {
                      .reg .u32 %w<4>;
                      tex.1d.v4.u32.s32 {r, %w1, %w2, %w3}, [a, {i}];
                      ret;
                    }
                    .visible .func (.reg .u32 r) g(.reg .u32 i) {
                      .reg .u32 %w<4>;
                      tex.1d.v4.u32.s32 {r, %w1, %w2, %w3}, [b, {i}];
                      call (%w1), f, (i);
                      add.u32 r, r, %w1;
                      ret;
                    }
                    .visible .entry unrelated(.param .u64 p) {
                      .reg .u32 %w<4>;
                      .reg .u64 %d;
                      ld.param.u64 %d, [p];
                      tex.1d.v4.u32.s32 {%w0, %w1, %w2, %w3}, [c, {3}];
                      st.global.u32 [%d], %w0;
                      ret;
                    }
                    .visible .entry plain() { ret; }
                    """;

    @Test
    void givenFunctionsThatFetch_whenKernelsCallThem_thenKernelsHaveTheirTextures() {
        String body =
                """
                call (%t1), g, (%i);
                tex.1d.v4.u32.s32 {%t2, %t3, %t4, %t5}, [b, {%i}];
                xor.b32 %t1, %t1, %t2;
                """;
        Map<String, Format> bound = Map.of("a", Format.F32, "b", Format.S32X4);
        check(FUNCTIONS, body, bound);
        Cubin cubin = BodyKernel.compile(BodyKernel.source(FUNCTIONS, body), PtxOptions.DEFAULT);
        assertEquals(List.of("a", "b"), textures(cubin, "k"));
        assertEquals(List.of("a"), textures(cubin, "f"));
        assertEquals(List.of("a", "b"), textures(cubin, "g"));
        assertEquals(List.of("c"), textures(cubin, "unrelated"));
        assertEquals(List.of(), textures(cubin, "plain"));
    }

    @Test
    void givenIndirectCall_whenCompiled_thenKernelHasTexturesOfAllFunctions() {
        String body =
                """
                mov.u64 %rd1, f;
                prototype: .callprototype (.reg .u32 _) _ (.reg .u32 _);
                call (%t1), %rd1, (%i), prototype;
                """;
        Map<String, Format> bound = Map.of("a", Format.F32, "b", Format.S32X4);
        check(FUNCTIONS, body, bound);
    }

    @Test
    void givenCubin_whenRead_thenTexturesEqualWrittenOnes() {
        String source =
                BodyKernel.source(
                        TEXTURES,
                        "tex.1d.v4.u32.s32 {%t1, _, _, _}, [c, {%i}];"
                                + " tex.1d.v4.u32.s32 {%t2, _, _, _}, [a, {%i}];"
                                + " add.u32 %t1, %t1, %t2;");
        Cubin cubin = BodyKernel.compile(source, PtxOptions.DEFAULT);
        List<TextureSlot> expected = List.of(new TextureSlot("c", 0), new TextureSlot("a", 1));
        assertEquals(expected, cubin.function("k").textures());
        Cubin read = Cubin.read(cubin.toBytes());
        assertEquals(expected, read.function("k").textures());
        assertEquals(-1, Arrays.mismatch(cubin.toBytes(), read.toBytes()));
    }

    @Test
    void givenSharedTexture_whenModulesAreLinked_thenBothReadIt() {
        String first =
                BodyKernel.source(
                        ".extern .global .texref shared;"
                                + " .extern .func (.reg .u32 r) f(.reg .u32 i);"
                                + " .global .texref own;",
                        """
                        call (%t2), f, (%i);
                        tex.1d.v4.u32.s32 {%t3, _, _, _}, [shared, {%i}];
                        tex.1d.v4.u32.s32 {%t4, _, _, _}, [own, {%i}];
                        add.u32 %t1, %t2, %t3;
                        add.u32 %t1, %t1, %t4;
                        """);
        String second =
                Sources.FERMI
                        + """
                        .visible .global .texref shared;
                        .global .texref others;
                        .visible .func (.reg .u32 r) f(.reg .u32 i) {
                          .reg .u32 %w<4>;
                          tex.1d.v4.u32.s32 {r, _, _, _}, [shared, {i}];
                          tex.1d.v4.u32.s32 {%w0, _, _, _}, [others, {i}];
                          add.u32 r, r, %w0;
                          ret;
                        }
                        """;
        PtxResult result = link(first, second);
        assertEquals(List.of(), result.diagnostics());
        assertEquals(List.of("shared", "own", "others"), textures(result.cubin(), "k"));
    }

    private static PtxResult link(String first, String second) {
        PtxLinker linker = new PtxLinker(PtxOptions.DEFAULT);
        linker.add("first", first.getBytes(StandardCharsets.UTF_8));
        linker.add("second", second.getBytes(StandardCharsets.UTF_8));
        return linker.complete();
    }

    @Test
    void givenTexturesOfOneName_whenModulesAreLinked_thenSecondIsRefused() {
        String first = Sources.FERMI + ".global .texref t;\n";
        String second = Sources.FERMI + ".global .texref t;\n";
        assertEquals(
                List.of(
                        "second: texture t is defined in first, too: programs bind textures by their"
                                + " names"),
                link(first, second).diagnostics().stream().map(Diagnostic::message).toList());
    }

    private static final String GEOMETRY =
            " is not supported: textures are linear memory, expected tex.1d with a coordinate of"
                    + " type .s32";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [a, {%f5}];",
                "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [a, {%f5, %f6}];",
                "tex.2d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [a, {%t5, %t6}];",
                "tex.3d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [a, {%t5, %t6, %t7, %t8}];",
                "tex.cube.v4.f32.f32 {%f1, %f2, %f3, %f4}, [a, {%f5, %f6, %f7, %f8}];",
                "tex.a1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [a, {%t5, %t6}];",
                "tex.base.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [a, {%t5}];",
                "tex.level.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [a, {%f5}], %f6;",
                "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [a, {%f5, %f6}];",
                "txq.width.b32 %t2, [a];"
            })
    void givenOtherForm_whenCompiled_thenItIsRefusedByNameAndLine(String instruction) {
        String operation = instruction.substring(0, instruction.indexOf(' '));
        assertEquals(List.of(BODY + ": " + operation + GEOMETRY), errors(TEXTURES, instruction));
    }

    @Test
    void givenSampler_whenCompiled_thenFetchIsRefused() {
        assertEquals(
                List.of(BODY + 1 + ": tex.1d.v4.f32.s32: expected [TEXTURE, COORDINATE]"),
                errors(
                        TEXTURES + ".global .samplerref s;\n",
                        "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [a, s, {%t5}];"));
    }

    @Test
    void givenHandleAndNoTexture_whenCompiled_thenFetchIsRefused() {
        assertEquals(
                List.of(
                        BODY
                                - 3
                                + ": handle of a texture: expected a texture of the module;"
                                + " texture objects need sm_30, this GPU is sm_20"),
                errors(
                        "",
                        "ld.global.u64 %rd2, [%a];"
                                + " tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd2, {%t5}];"));
    }

    @Test
    void givenTextureThatIsParameter_whenCompiled_thenFetchIsRefused() {
        String source =
                Sources.FERMI
                        + """
                        .visible .entry k(.param .texref t) {
                          .reg .f32 %f<4>;
                          tex.1d.v4.f32.s32 {%f0, %f1, %f2, %f3}, [t, {0}];
                        }
                        """;
        assertEquals(List.of("6: t: expected a texture of the module"), errors(source));
    }

    @Test
    void givenHandleAsInitialValue_whenCompiled_thenItIsRefused() {
        assertEquals(
                List.of("1: initial value of handle: a is not in memory"),
                errors(TEXTURES + ".global .u64 handle = a;\n", "mov.u32 %t1, 1;"));
    }

    @Test
    void givenTooManyTextures_whenCompiled_thenLimitIsNamed() {
        int count = TextureSlot.MAX_SLOT + 2;
        String declarations =
                IntStream.range(0, count)
                        .mapToObj(i -> ".global .texref t" + i + ";")
                        .collect(Collectors.joining("\n"));
        String body =
                "mov.u32 %t1, 0;\n"
                        + IntStream.range(0, count)
                                .mapToObj(i ->
                                        "tex.1d.v4.u32.s32 {%t2, _, _, _}, [t"
                                                + i
                                                + ", {%i}]; add.u32 %t1, %t1, %t2;")
                                .collect(Collectors.joining("\n"));
        assertEquals(List.of("1: textures: number=257, limit=256"), errors(declarations, body));
    }

    private static List<String> errors(String declarations, String body) {
        return errors(BodyKernel.source(declarations, body));
    }

    private static List<String> errors(String source) {
        return PtxCompiler.compile(source, PtxOptions.DEFAULT).diagnostics().stream()
                .map(found -> found.line() + ": " + found.message())
                .toList();
    }
}
