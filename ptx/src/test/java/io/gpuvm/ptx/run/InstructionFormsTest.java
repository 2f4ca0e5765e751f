package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.NumericFormat;
import io.gpuvm.gf100.classes.TexelLayout;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.interpreter.MachineTexture;
import io.gpuvm.ptx.interpreter.PtxMachine;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Executes each form of each instruction, with each of its modifiers and types, on special
/// operands: NaN, infinities, denormals, numbers at the ends of ranges, shift counts beyond the
/// width. The compiled code has the results of the interpreter on both engines of the software GPU.
class InstructionFormsTest {
    private static final int MEMORY_BYTES = 1 << 20;
    private static final int TEXELS = 60;
    private static final int WORDS = FormKernels.KINDS.size() * FormKernels.OPERANDS;

    /// Relative error of instructions whose results are approximate.
    private static final double TOLERANCE = 1e-5;

    private static final long[] SPECIAL = {
        0,
        1,
        2,
        3,
        7,
        8,
        15,
        16,
        31,
        32,
        33,
        63,
        64,
        65,
        127,
        128,
        255,
        256,
        0x7fff,
        0x8000,
        0xffff,
        0x10000,
        0x7fff_ffffL,
        0x8000_0000L,
        0xffff_fffeL,
        0xffff_ffffL,
        0x1_0000_0000L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -1,
        -2,
        -128,
        -32768,
        Integer.MIN_VALUE,
        0xdead_beef_1234_5678L,
        0x0102_0304_0506_0708L
    };

    private static final double[] NUMBERS = {
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        1.5,
        2.5,
        -2.5,
        3,
        0.1,
        1e-3,
        100.75,
        -7.25,
        65504,
        65520,
        6e-8,
        255.5,
        -128.5,
        2147483647.5,
        -2147483648.75,
        4294967295.5,
        9.3e18,
        1.9e19,
        1e-40,
        -1e-40,
        1e-45,
        3e38,
        Float.MIN_NORMAL,
        Float.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        1e300,
        1e-300,
        4.9e-324,
        2.2e-308,
        Double.MAX_VALUE
    };

    private static long[] operands(int seed) {
        Random random = new Random(seed);
        long[] operands = new long[FormKernels.THREADS * WORDS];
        for (int i = 0; i < operands.length; i++) {
            double number = NUMBERS[random.nextInt(NUMBERS.length)];
            String kind =
                    FormKernels.KINDS.get(i / FormKernels.OPERANDS % FormKernels.KINDS.size());
            boolean isNumber = random.nextBoolean();
            operands[i] =
                    switch (kind) {
                        case "b64" ->
                                isNumber ? Double.doubleToRawLongBits(number) : special(random);
                        case "b32" ->
                                isNumber
                                        ? Float.floatToRawIntBits((float) number)
                                        : special(random);
                        case "b16" ->
                                isNumber ? Float.floatToFloat16((float) number) : special(random);
                        case "pred" -> random.nextInt(2);
                        default -> special(random);
                    };
        }
        return operands;
    }

    private static long special(Random random) {
        return random.nextInt(4) == 0 ? random.nextLong() : SPECIAL[random.nextInt(SPECIAL.length)];
    }

    @Test
    void givenEachForm_whenExecuted_thenResultsEqualInterpreters() {
        compare(true, 1, List.of(PtxOptions.DEFAULT), List.of(ExecutionMode.INTERPRETER), 1);
    }

    @Test
    void givenSomeForms_whenExecutedByCompiledEngine_thenResultsEqualInterpreters() {
        compare(false, 3, List.of(PtxOptions.DEFAULT), List.of(ExecutionMode.COMPILED), 1);
    }

    @Test
    @Tag("long")
    void givenEachForm_whenExecutedOnManyOperands_thenResultsEqualInterpreters() {
        List<PtxOptions> options =
                List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization());
        compare(true, 1, options, List.of(ExecutionMode.INTERPRETER, ExecutionMode.COMPILED), 50);
    }

    private static void compare(
            boolean guarded,
            int step,
            List<PtxOptions> options,
            List<ExecutionMode> modes,
            int count) {
        List<String> problems = new ArrayList<>();
        int samples = 0;
        for (FormKernels.Module module : FormKernels.all(guarded, step)) {
            samples += module.samples().stream().mapToInt(List::size).sum();
            for (int seed = 1; seed <= count; seed++) {
                long[] operands = operands(seed);
                List<byte[]> expected = interpreted(module, operands);
                for (PtxOptions option : options) {
                    for (ExecutionMode mode : modes) {
                        List<byte[]> found = compiled(module, option, mode, operands);
                        compare(module, expected, found, operands, problems);
                    }
                }
            }
        }
        assertTrue(samples > 1_500 / step, "samples=" + samples);
        assertEquals(List.of(), problems.stream().distinct().limit(100).toList());
    }

    private static List<byte[]> interpreted(FormKernels.Module module, long[] operands) {
        PtxMachine machine = new PtxMachine(Sources.module(module.source()), MEMORY_BYTES);
        long in = machine.allocate(operands.length * Long.BYTES);
        long out = machine.allocate(FormKernels.resultBytes());
        long memory = machine.allocate(FormKernels.THREADS * FormKernels.MEMORY_BYTES);
        ByteBuffer bytes = buffer(operands.length * Long.BYTES);
        bytes.asLongBuffer().put(operands);
        machine.write(in, bytes.array());
        machine.bind(
                FormKernels.TEXTURE,
                new MachineTexture(in, TEXELS, 1, Float.SIZE, MachineTexture.Channel.FLOAT));
        byte[] parameters = buffer(3 * Long.BYTES).putLong(in).putLong(out).putLong(memory).array();
        List<byte[]> results = new ArrayList<>();
        for (int i = 0; i < module.samples().size(); i++) {
            machine.write(out, new byte[FormKernels.resultBytes()]);
            machine.launch(
                    "k" + i,
                    PtxMachine.Size.of(1),
                    PtxMachine.Size.of(FormKernels.THREADS),
                    0,
                    parameters);
            results.add(machine.read(out, FormKernels.resultBytes()));
        }
        return results;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static List<byte[]> compiled(
            FormKernels.Module module, PtxOptions options, ExecutionMode mode, long[] operands) {
        PtxResult result = PtxCompiler.compile(module.source(), options);
        assertEquals(List.of(), result.diagnostics());
        List<byte[]> results = new ArrayList<>();
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()), mode)) {
            long in = bench.allocate(operands.length * Long.BYTES);
            bench.segment(in).copyFrom(MemorySegment.ofArray(operands));
            bench.bind(
                    FormKernels.TEXTURE,
                    LinearTexture.of(TexelLayout.R32, NumericFormat.FLOAT, in, TEXELS));
            long out = bench.allocate(FormKernels.resultBytes());
            long memory = bench.allocate(FormKernels.THREADS * FormKernels.MEMORY_BYTES);
            for (int i = 0; i < module.samples().size(); i++) {
                MemorySegment found = bench.segment(out).asSlice(0, FormKernels.resultBytes());
                found.fill((byte) 0);
                Dimensions block = new Dimensions(FormKernels.THREADS, 1, 1);
                bench.launch("k" + i, new Dimensions(1, 1, 1), block, 0, in, out, memory);
                results.add(found.toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return results;
    }

    private static void compare(
            FormKernels.Module module,
            List<byte[]> expected,
            List<byte[]> found,
            long[] operands,
            List<String> problems) {
        for (int kernel = 0; kernel < module.samples().size(); kernel++) {
            ByteBuffer first = ByteBuffer.wrap(expected.get(kernel)).order(ByteOrder.LITTLE_ENDIAN);
            ByteBuffer second = ByteBuffer.wrap(found.get(kernel)).order(ByteOrder.LITTLE_ENDIAN);
            List<String> samples = module.samples().get(kernel);
            for (int sample = 0; sample < samples.size(); sample++) {
                for (int thread = 0; thread < FormKernels.THREADS; thread++) {
                    String problem =
                            difference(
                                    samples.get(sample),
                                    first,
                                    second,
                                    FormKernels.resultOffset(thread, sample));
                    if (problem != null) {
                        problems.add(problem);
                        break;
                    }
                }
            }
        }
    }

    private static String difference(String sample, ByteBuffer first, ByteBuffer second, int at) {
        for (int slot = 0; slot < FormKernels.RESULTS; slot++) {
            long a = first.getLong(at + slot * Long.BYTES);
            long b = second.getLong(at + slot * Long.BYTES);
            if (a != b && !isSameNumber(sample, a, b)) {
                StringBuilder text = new StringBuilder(sample);
                for (int i = 0; i < FormKernels.RESULTS; i++) {
                    text.append(" %x".formatted(first.getLong(at + i * Long.BYTES)));
                }
                return text + ": slot " + slot + "=%x".formatted(b);
            }
        }
        return null;
    }

    /// Returns the first type of an operation.
    private static String resultType(String operation) {
        return Stream.of(operation.split("\\."))
                .filter(word -> word.matches("[bfsu](8|16|32|64)"))
                .findFirst()
                .orElse("");
    }

    /// Returns whether results are NaN both, or approximately equal if the instruction has
    /// approximate results.
    private static boolean isSameNumber(String sample, long a, long b) {
        String instruction = sample.replaceFirst("^@\\S+ ", "");
        String operation = instruction.substring(0, instruction.indexOf(' '));
        boolean isApproximate = operation.matches("(sin|cos|ex2|lg2)\\..*|.*\\.(approx|full)\\b.*");
        double x;
        double y;
        switch (resultType(operation)) {
            case "f16" -> {
                x = Float.float16ToFloat((short) a);
                y = Float.float16ToFloat((short) b);
            }
            case "f32" -> {
                x = Float.intBitsToFloat((int) a);
                y = Float.intBitsToFloat((int) b);
            }
            case "f64" -> {
                x = Double.longBitsToDouble(a);
                y = Double.longBitsToDouble(b);
            }
            default -> {
                return false;
            }
        }
        // PTX manual, `div.approx`: the quotient of a number by one beyond 2^126 is zero.
        boolean isZero = operation.startsWith("div.approx") && y == 0;
        return Double.isNaN(x) && Double.isNaN(y)
                || isZero
                || isApproximate && Math.abs(x - y) <= TOLERANCE * Math.max(Math.abs(x), 1e-30);
    }
}
