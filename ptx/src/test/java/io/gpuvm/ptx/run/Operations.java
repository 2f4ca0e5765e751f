package io.gpuvm.ptx.run;

import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.softgpu.sm.Dimensions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/// Runs single instructions on many operands, and compares their results with functions of Java.
///
/// Operands and results are 64-bit numbers: bits of their types, with zeros above.
final class Operations {
    /// Function of three operands.
    @FunctionalInterface
    interface Ternary {
        long apply(long a, long b, long c);
    }

    static final int THREADS = 128;

    private Operations() {}

    /// Tests an instruction with one operand.
    ///
    /// @param body instructions that assign %d from %a
    static void unary(String body, String type, String result, long[] a, LongUnaryOperator f) {
        ternary(body, type, type, type, result, a, a, a, (x, _, _) -> f.applyAsLong(x));
    }

    /// Tests an instruction on all pairs of operands.
    static void binary(String body, String type, String result, long[] all, LongBinaryOperator f) {
        List<long[]> pairs = new ArrayList<>();
        for (long x : all) {
            for (long y : all) {
                pairs.add(new long[] {x, y});
            }
        }
        long[] a = pairs.stream().mapToLong(pair -> pair[0]).toArray();
        long[] b = pairs.stream().mapToLong(pair -> pair[1]).toArray();
        ternary(body, type, type, type, result, a, b, a, (x, y, _) -> f.applyAsLong(x, y));
    }

    /// Tests instructions with three operands, element by element.
    static void ternary(
            String body,
            String typeA,
            String typeB,
            String typeC,
            String result,
            long[] a,
            long[] b,
            long[] c,
            Ternary f) {
        String source = source(body, typeA, typeB, typeC, result);
        for (PtxOptions options :
                List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
            long[] found = run(source, options, a, b, c);
            for (int i = 0; i < a.length; i++) {
                long expected = f.apply(a[i], b[i], c[i]);
                if (!same(result, expected, found[i])) {
                    throw new AssertionError(
                            "%s: a=%x, b=%x, c=%x: result=%x, expected=%x"
                                    .formatted(body, a[i], b[i], c[i], found[i], expected));
                }
            }
        }
    }

    private static boolean same(String type, long expected, long found) {
        return switch (type) {
            case "f32" ->
                    expected == found
                            || Float.isNaN(Float.intBitsToFloat((int) expected))
                                    && Float.isNaN(Float.intBitsToFloat((int) found));
            case "f64" ->
                    expected == found
                            || Double.isNaN(Double.longBitsToDouble(expected))
                                    && Double.isNaN(Double.longBitsToDouble(found));
            default -> expected == found;
        };
    }

    private static int bytes(String type) {
        return Integer.parseInt(type.replaceAll("\\D", "")) / Byte.SIZE;
    }

    static String source(String body, String typeA, String typeB, String typeC, String result) {
        return """
        .version 8.5
        .target sm_90
        .address_size 64
        .visible .entry test(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd, .param .u32 n)
        {
          .reg .pred %%p, %%q, %%c0;
          .reg .b32 %%i, %%n, %%t<10>;
          .reg .b64 %%pa, %%pb, %%pc, %%pd, %%o, %%w<10>;
          .reg .b16 %%h<10>;
          .reg .%s %%a;
          .reg .%s %%b;
          .reg .%s %%c;
          .reg .%s %%d;
          ld.param.u64 %%pa, [pa];
          ld.param.u64 %%pb, [pb];
          ld.param.u64 %%pc, [pc];
          ld.param.u64 %%pd, [pd];
          ld.param.u32 %%n, [n];
          mov.u32 %%t0, %%ctaid.x;
          mov.u32 %%t1, %%ntid.x;
          mov.u32 %%t2, %%tid.x;
          mad.lo.u32 %%i, %%t0, %%t1, %%t2;
          setp.ge.u32 %%p, %%i, %%n;
          @%%p bra END;
          mul.wide.u32 %%o, %%i, 8;
          add.u64 %%pa, %%pa, %%o;
          add.u64 %%pb, %%pb, %%o;
          add.u64 %%pc, %%pc, %%o;
          add.u64 %%pd, %%pd, %%o;
          ld.global.%s %%a, [%%pa];
          ld.global.%s %%b, [%%pb];
          ld.global.%s %%c, [%%pc];
          %s
          st.global.%s [%%pd], %%d;
        END:
          ret;
        }
        """
                .formatted(typeA, typeB, typeC, result, typeA, typeB, typeC, body, result);
    }

    static long[] run(String source, PtxOptions options, long[] a, long[] b, long[] c) {
        PtxResult result = PtxCompiler.compile(source, options);
        if (!result.isCompiled()) {
            throw new AssertionError(result.diagnostics() + "\n" + source);
        }
        try (KernelBench bench = new KernelBench(result.cubin())) {
            long[] addresses = {
                put(bench, a), put(bench, b), put(bench, c), put(bench, new long[a.length])
            };
            int blocks = (a.length + THREADS - 1) / THREADS;
            bench.launch(
                    "test",
                    new Dimensions(blocks, 1, 1),
                    new Dimensions(THREADS, 1, 1),
                    0,
                    addresses[0],
                    addresses[1],
                    addresses[2],
                    addresses[3],
                    a.length);
            return bench.segment(addresses[3])
                    .asSlice(0, (long) a.length * Long.BYTES)
                    .toArray(ValueLayout.JAVA_LONG_UNALIGNED);
        }
    }

    private static long put(KernelBench bench, long[] numbers) {
        long at = bench.allocate(numbers.length * Long.BYTES);
        bench.segment(at).copyFrom(MemorySegment.ofArray(numbers));
        return at;
    }

    /// Returns numbers as operands of a type.
    static long[] mask(String type, long... numbers) {
        int bits = bytes(type) * Byte.SIZE;
        long[] masked = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            masked[i] = numbers[i] & -1L >>> Long.SIZE - bits;
        }
        return masked;
    }
}
