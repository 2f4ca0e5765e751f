package io.gpuvm.softgpu.sm.compiler;

import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.CompilerControl;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Cost of four dependent multiply-adds of a warp, on registers that are rows of one array of
/// integers. The registers are accessed as in compiled kernels ([RowAccess]), and by two methods
/// without `Unsafe`.
///
/// Each variant is one method with one loop over the lanes, as in a compiled kernel.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class RowAccessBenchmark {
    private static final int TARGET = Rows.source(1);
    private static final int FACTOR = Rows.source(2);
    private static final int ADDEND = Rows.source(3);
    private static final long TARGET_OFFSET = RowAccess.offset(TARGET);
    private static final long FACTOR_OFFSET = RowAccess.offset(FACTOR);
    private static final long ADDEND_OFFSET = RowAccess.offset(ADDEND);
    private static final MethodHandle GET =
            unsafe("getFloat", MethodType.methodType(float.class, Object.class, long.class));
    private static final MethodHandle PUT =
            unsafe(
                    "putFloat",
                    MethodType.methodType(void.class, Object.class, long.class, float.class));

    private final int[] words = new int[Rows.WORDS];
    private final MemorySegment segment = MemorySegment.ofArray(words);

    /// Fails unless all three variants have the same results for the same initial values. No lane's
    /// value ever becomes a number that takes longer to compute, such as a subnormal.
    @Setup
    public void compare() throws Throwable {
        start();
        byUnsafe();
        int[] expected = words.clone();
        start();
        byBits();
        requireEqual("byBits", expected);
        start();
        bySegment();
        requireEqual("bySegment", expected);
    }

    /// Accesses floats with `Unsafe`.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public void byUnsafe() throws Throwable {
        int[] registers = words;
        for (int lane = 0; lane < Rows.SPAN; lane++) {
            long offset = (long) lane * Integer.BYTES;
            float value = (float) GET.invokeExact((Object) registers, TARGET_OFFSET + offset);
            float factor = (float) GET.invokeExact((Object) registers, FACTOR_OFFSET + offset);
            float addend = (float) GET.invokeExact((Object) registers, ADDEND_OFFSET + offset);
            PUT.invokeExact(
                    (Object) registers, TARGET_OFFSET + offset, compute(value, factor, addend));
        }
    }

    /// Accesses integers, and converts them with [Float#intBitsToFloat(int)].
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public void byBits() {
        int[] registers = words;
        for (int lane = 0; lane < Rows.SPAN; lane++) {
            float value = Float.intBitsToFloat(registers[TARGET + lane]);
            float factor = Float.intBitsToFloat(registers[FACTOR + lane]);
            float addend = Float.intBitsToFloat(registers[ADDEND + lane]);
            registers[TARGET + lane] = Float.floatToRawIntBits(compute(value, factor, addend));
        }
    }

    /// Accesses floats through a [MemorySegment] of the array.
    @Benchmark
    @CompilerControl(CompilerControl.Mode.DONT_INLINE)
    public void bySegment() {
        MemorySegment registers = segment;
        for (int lane = 0; lane < Rows.SPAN; lane++) {
            float value = registers.getAtIndex(ValueLayout.JAVA_FLOAT, TARGET + lane);
            float factor = registers.getAtIndex(ValueLayout.JAVA_FLOAT, FACTOR + lane);
            float addend = registers.getAtIndex(ValueLayout.JAVA_FLOAT, ADDEND + lane);
            registers.setAtIndex(
                    ValueLayout.JAVA_FLOAT, TARGET + lane, compute(value, factor, addend));
        }
    }

    private static float compute(float value, float factor, float addend) {
        float result = Math.fma(value, factor, addend);
        result = Math.fma(result, factor, addend);
        result = Math.fma(result, factor, addend);
        return Math.fma(result, factor, addend);
    }

    private void start() {
        for (int lane = 0; lane < Rows.SPAN; lane++) {
            words[TARGET + lane] = Float.floatToRawIntBits(lane);
            words[FACTOR + lane] = Float.floatToRawIntBits(0.5f);
            words[ADDEND + lane] = Float.floatToRawIntBits(0.25f);
        }
    }

    private void requireEqual(String what, int[] expected) {
        for (int lane = 0; lane < Rows.LANES; lane++) {
            if (words[TARGET + lane] != expected[TARGET + lane]) {
                throw new IllegalStateException(
                        "%s: lane=%d bits=%#x, expected=%#x"
                                .formatted(
                                        what, lane, words[TARGET + lane], expected[TARGET + lane]));
            }
        }
    }

    /// Finds a method of the object that compiled kernels use. The class must not be named here.
    private static MethodHandle unsafe(String name, MethodType type) {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(RowAccess.UNSAFE.getClass(), name, type)
                    .bindTo(RowAccess.UNSAFE);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
