package io.gpuvm.ptx.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.check.Sources;
import io.gpuvm.ptx.interpreter.PtxMachine;
import io.gpuvm.softgpu.sm.Dimensions;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;

/// Kernel of a block of two warps, whose thread `i` has its number in `%i` and the word `in(i)` in
/// `%t0`, and stores `%t1`.
final class BodyKernel {
    static final int THREADS = 64;

    private static final long MOST_INSTRUCTIONS = 1_000_000;
    private static final int MEMORY_BYTES = 1 << 20;

    private BodyKernel() {}

    /// Returns the input of a thread.
    static int in(int thread) {
        return 3 * thread + 1;
    }

    /// Returns the source of a kernel.
    ///
    /// @param declarations variables and functions of the module
    /// @param body instructions that assign `%t1`
    static String source(String declarations, String body) {
        return """
        .version 6.0
        .target sm_20
        .address_size 64
        %s
        .visible .entry k(.param .u64 p, .param .u64 q)
        {
          .reg .b64 %%a, %%b, %%o, %%rd<20>;
          .reg .b32 %%i, %%t<40>;
          .reg .f32 %%f<20>;
          .reg .pred %%p<20>;
          mov.u32 %%i, %%tid.x;
          ld.param.u64 %%a, [p];
          ld.param.u64 %%b, [q];
          mul.wide.u32 %%o, %%i, 4;
          add.u64 %%a, %%a, %%o;
          add.u64 %%b, %%b, %%o;
          ld.global.u32 %%t0, [%%a];
          %s
          st.global.u32 [%%b], %%t1;
          ret;
        }
        """
                .formatted(declarations, body);
    }

    /// Returns the module of a source.
    static Cubin compile(String source, PtxOptions options) {
        PtxResult result = PtxCompiler.compile(source, options);
        assertEquals(List.of(), result.diagnostics());
        return result.cubin();
    }

    /// Runs a kernel with and without optimization, in both execution modes of the software GPU,
    /// and compares the words that it stores.
    static void check(String declarations, String body, IntUnaryOperator expected) {
        String source = source(declarations, body);
        for (PtxOptions options :
                List.of(PtxOptions.DEFAULT, PtxOptions.DEFAULT.withoutOptimization())) {
            Cubin cubin = compile(source, options);
            for (ExecutionMode mode : List.of(ExecutionMode.INTERPRETER, ExecutionMode.COMPILED)) {
                int[] found = run(cubin, mode);
                for (int i = 0; i < THREADS; i++) {
                    String where = "thread " + i + ", " + options + ", " + mode;
                    assertEquals(expected.applyAsInt(i), found[i], where);
                }
            }
        }
    }

    /// Returns the words that a kernel stores if the interpreter runs it.
    static int[] interpret(String source) {
        PtxMachine machine = new PtxMachine(Sources.module(source), MEMORY_BYTES);
        ByteBuffer words = buffer(THREADS * Integer.BYTES);
        for (int i = 0; i < THREADS; i++) {
            words.putInt(in(i));
        }
        long input = machine.allocate(words.capacity());
        long output = machine.allocate(words.capacity());
        machine.write(input, words.array());
        ByteBuffer arguments = buffer(2 * Long.BYTES).putLong(input).putLong(output);
        machine.launch(
                "k", PtxMachine.Size.of(1), PtxMachine.Size.of(THREADS), 0, arguments.array());
        int[] found = new int[THREADS];
        ByteBuffer.wrap(machine.read(output, words.capacity()))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asIntBuffer()
                .get(found);
        return found;
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /// Returns the words that a kernel stores.
    ///
    /// @throws AssertionError if the kernel traps or hangs
    static int[] run(Cubin cubin) {
        return run(cubin, ExecutionMode.INTERPRETER);
    }

    private static int[] run(Cubin cubin, ExecutionMode mode) {
        try (KernelBench bench = new KernelBench(cubin, mode)) {
            bench.limit(MOST_INSTRUCTIONS);
            int[] words = new int[THREADS];
            Arrays.setAll(words, BodyKernel::in);
            long input = bench.words(words);
            long output = bench.allocate(THREADS * Integer.BYTES);
            Dimensions block = new Dimensions(THREADS, 1, 1);
            bench.launch("k", new Dimensions(1, 1, 1), block, 0, input, output);
            return bench.read(output, THREADS);
        }
    }
}
