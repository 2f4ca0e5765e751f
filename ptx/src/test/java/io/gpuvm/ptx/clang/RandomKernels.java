package io.gpuvm.ptx.clang;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/// Source of random kernels, which use `random.h`: CUDA C for the GPU, and C++ for a program that
/// runs the threads one after another and writes the memory of each kernel to its standard output.
///
/// The source has no undefined behavior: no division by zero, no access out of bounds, no race.
/// Atomic operations have results that do not depend on their order. Every loop ends.
///
/// @param seed seed of the source and its input
record RandomKernels(long seed, List<String> functions, List<Kernel> kernels) {
    // The same numbers are in random.h.
    static final int BLOCKS = 2;
    static final int MAX_THREADS = 96;
    static final int IN_WORDS = 256;
    static final int OUT_WORDS = 40;
    static final int SUMS = 16;
    static final int SCRATCH_WORDS = 8;
    private static final int PHASES = 4;
    private static final int FIRST_SET = 4;
    private static final int FLOAT_SUM = 12;
    private static final int FIRST_VALUE = 0x70f0_ff00;

    private static final List<Integer> THREADS = List.of(32, 64, 64, 96, 48, 33);
    private static final int FUNCTIONS = 4;

    /// Kernel.
    ///
    /// @param threads number of threads of a block
    record Kernel(String name, int threads, List<List<CStatement>> phases) {
        Kernel {
            phases = phases.stream().map(List::copyOf).toList();
        }
    }

    RandomKernels {
        functions = List.copyOf(functions);
        kernels = List.copyOf(kernels);
    }

    /// Returns a random source.
    static RandomKernels write(long seed, int count) {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> texts = new ArrayList<>();
        List<CScope.Function> functions = new ArrayList<>();
        for (int i = 0; i < FUNCTIONS; i++) {
            functions.add(function(random, i, List.of(), texts));
        }
        List<CScope.Function> leaves = List.copyOf(functions);
        for (int i = FUNCTIONS; i < 2 * FUNCTIONS; i++) {
            functions.add(function(random, i, leaves, texts));
        }
        texts.add(combination(random, leaves));
        functions.add(new CScope.Function("chosen", CType.U32, List.of(CType.U32, CType.S32)));
        functions.add(new CScope.Function("nested", CType.U32, List.of(CType.U32, CType.U32)));
        List<Kernel> kernels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            kernels.add(kernel(random, "kernel" + i, functions));
        }
        return new RandomKernels(seed, texts, kernels);
    }

    /// Writes a function.
    ///
    /// @param functions functions that it calls
    /// @param texts receives the source
    private static CScope.Function function(
            SplittableRandom random,
            int number,
            List<CScope.Function> functions,
            List<String> texts) {
        CScope scope = CScope.ofFunction(functions);
        CExpressions expressions = new CExpressions(random, scope);
        List<CType> parameters = new ArrayList<>();
        StringBuilder head = new StringBuilder();
        for (int i = 0; i < 1 + random.nextInt(4); i++) {
            CType type = expressions.any(CType.all());
            parameters.add(type);
            scope.add(type, "a" + i, true);
            head.append(i == 0 ? "" : ", ").append(type.text()).append(" a").append(i);
        }
        CType result = expressions.any(CType.all());
        scope.add(result, "r", true);
        String name = "function" + number;
        StringBuilder text = new StringBuilder(random.nextInt(3) == 0 ? "INLINE " : "NOINLINE ");
        text.append("%s %s(%s) {\n".formatted(result.text(), name, head));
        text.append("  %s r = 0;\n".formatted(result.text()));
        CStatement.append(text, new CStatements(random, scope).block(2, 2), "  ");
        text.append(
                "  if (%s) return %s;\n"
                        .formatted(expressions.condition(2), expressions.write(result, 2)));
        CStatement.append(text, new CStatements(random, scope).block(2, 1), "  ");
        text.append("  return r;\n}\n");
        texts.add(text.toString());
        return new CScope.Function(name, result, parameters);
    }

    /// Writes the functions with structures, pointers to functions and recursion.
    private static String combination(SplittableRandom random, List<CScope.Function> functions) {
        CScope scope = CScope.ofFunction(functions);
        scope.add(CType.U32, "a", false);
        scope.add(CType.S32, "b", false);
        CExpressions expressions = new CExpressions(random, scope);
        CScope inner = CScope.ofFunction(functions);
        inner.add(CType.U32, "a", false);
        inner.add(CType.U32, "n", false);
        CExpressions recursion = new CExpressions(random, inner);
        return """
        NOINLINE u32 combined(Pair pair, u32 *place) {
          *place += pair.first;
          return *place ^ u32(pair.second) * 5 + to_u32(pair.third);
        }
        NOINLINE u32 first(u32 a, s32 b) { return %s; }
        NOINLINE u32 second(u32 a, s32 b) { return %s; }
        NOINLINE u32 third(u32 a, s32 b) { return %s; }
        typedef u32 (*Choice)(u32, s32);
        GLOBAL Choice choices[4] = {first, second, third, first};
        INLINE u32 chosen(u32 a, s32 b) { return choices[(a ^ u32(b)) & 3](a, b); }
        NOINLINE u32 recursive(u32 a, u32 n) {
          if (n == 0) return %s;
          u32 rest = recursive(a ^ n, n - 1);
          return %s ? rest + recursive(rest, n >> 1) : rest * 3 + a;
        }
        INLINE u32 nested(u32 a, u32 n) { return recursive(a, n & 3); }
        """
                .formatted(
                        expressions.write(CType.U32, 2),
                        expressions.write(CType.U32, 2),
                        expressions.write(CType.U32, 3),
                        recursion.write(CType.U32, 2),
                        recursion.condition(2));
    }

    private static Kernel kernel(
            SplittableRandom random, String name, List<CScope.Function> functions) {
        int threads = THREADS.get(random.nextInt(THREADS.size()));
        List<List<CStatement>> phases = new ArrayList<>();
        for (int phase = 0; phase < 1 + random.nextInt(2); phase++) {
            CScope scope = CScope.ofPhase(functions, phase, threads);
            for (CType type : CType.all()) {
                for (int i = 0; i < variables(type); i++) {
                    scope.add(type, "s." + variable(type, i), true);
                }
            }
            scope.add(CType.U32, "m.thread", false);
            scope.add(CType.U32, "m.index", false);
            phases.add(new CStatements(random, scope).block(2 + random.nextInt(4), 2));
        }
        return new Kernel(name, threads, phases);
    }

    /// Returns the number of a kernel's variables of a type.
    private static int variables(CType type) {
        return type == CType.U32 || type == CType.F32 ? 2 : 1;
    }

    private static String variable(CType type, int number) {
        return type.text() + "_" + number;
    }

    /// Returns the input of all kernels.
    int[] input() {
        SplittableRandom random = new SplittableRandom(seed);
        int[] words = new int[IN_WORDS];
        for (int i = 0; i < words.length; i++) {
            words[i] =
                    switch (random.nextInt(4)) {
                        case 0 -> random.nextInt(256) - 20;
                        case 1 -> Float.floatToRawIntBits((float) random.nextDouble(-100, 100));
                        default -> random.nextInt();
                    };
        }
        return words;
    }

    /// Returns the initial values of the sums of each kernel.
    static int[] sums() {
        int[] words = new int[SUMS];
        for (int i = 0; i < SUMS; i++) {
            words[i] = i < FIRST_SET || i == FLOAT_SUM ? 0 : FIRST_VALUE + i;
        }
        return words;
    }

    /// Returns the number of bytes of the output and the sums of a kernel.
    static int resultBytes() {
        return (BLOCKS * MAX_THREADS * OUT_WORDS + SUMS) * Integer.BYTES;
    }

    /// Returns the source.
    String source() {
        SplittableRandom random = new SplittableRandom(seed);
        StringBuilder text = new StringBuilder("#include \"random.h\"\n");
        text.append(array(random, "CONSTANT u32 table"));
        text.append(array(random, "GLOBAL u32 variable"));
        functions.forEach(text::append);
        kernels.forEach(kernel -> append(text, kernel));
        text.append("#ifndef __CUDA__\nint main() {\n  alignas(16) static const u32 in[] = {");
        for (int word : input()) {
            text.append(Integer.toUnsignedString(word)).append("u, ");
        }
        text.append("};\n");
        kernels.forEach(kernel -> text.append("  run(%s, in);\n".formatted(kernel.name())));
        return text.append("}\n#endif\n").toString();
    }

    private static String array(SplittableRandom random, String head) {
        StringBuilder text = new StringBuilder(head).append("[16] = {");
        for (int i = 0; i < 16; i++) {
            text.append(Integer.toUnsignedString(random.nextInt())).append("u, ");
        }
        return text.append("};\n").toString();
    }

    private static void append(StringBuilder text, Kernel kernel) {
        String state = "State_" + kernel.name();
        text.append("struct %s {\n  u32 array[8];\n".formatted(state));
        StringBuilder begin =
                new StringBuilder("    for (u32 i = 0; i < 8; i++) array[i] = i * 9;\n");
        StringBuilder end = new StringBuilder("    u64 *to = (u64 *)(m.own + SCRATCH_WORDS);\n");
        int place = 0;
        for (CType type : CType.all()) {
            for (int i = 0; i < variables(type); i++) {
                String name = variable(type, i);
                text.append("  %s %s;\n".formatted(type.text(), name));
                begin.append(
                        "    %s = %s(m.in[(m.index * %d + %d) & 255]%s);\n"
                                .formatted(
                                        name,
                                        type.text(),
                                        1 + 2 * i,
                                        place * 7,
                                        type.bits() > Integer.SIZE && !type.isFloating()
                                                ? " * 0x9e3779b97f4a7c15ull"
                                                : ""));
                end.append(
                        "    to[%d] = %s(%s);\n"
                                .formatted(place++, type.isFloating() ? "number" : "u64", name));
            }
        }
        end.append(
                "    for (u32 i = 0; i < 4; i++) to[%d + i] = array[i] | u64(array[i + 4]) << 32;\n"
                        .formatted(place));
        text.append("  INLINE_MEMBER void begin(Memory &m) {\n").append(begin).append("  }\n");
        text.append("  INLINE_MEMBER void end(Memory &m) {\n").append(end).append("  }\n};\n");
        StringBuilder calls = new StringBuilder();
        for (int phase = 0; phase < kernel.phases().size(); phase++) {
            String name = "%s_phase%d".formatted(kernel.name(), phase);
            text.append("INLINE void %s(%s &s, Memory &m) {\n".formatted(name, state));
            CStatement.append(text, kernel.phases().get(phase), "  ");
            text.append("}\n");
            calls.append(" PHASE(%s)".formatted(name));
        }
        text.append(
                "KERNEL(%s, %d, %s,%s)\n".formatted(kernel.name(), kernel.threads(), state, calls));
    }
}
