package io.gpuvm.ptx.run;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.generator.RandomProgram;
import io.gpuvm.softgpu.sm.Dimensions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/// Execution of a random program by compiled code on the software GPU.
final class CompiledProgram {
    /// Number of warp instructions far above that of a program.
    private static final long MOST_INSTRUCTIONS = 1_000_000;

    private CompiledProgram() {}

    /// Returns the output of all threads, followed by the results of atomic operations.
    static byte[] run(RandomProgram program, PtxOptions options) {
        return run(program, Cubin.read(compile(program, options).toBytes()));
    }

    /// Returns the module of a program.
    static Cubin compile(RandomProgram program, PtxOptions options) {
        PtxResult result = PtxCompiler.compile(program.source(), options);
        if (!result.isCompiled()) {
            throw new AssertionError(result.diagnostics());
        }
        return result.cubin();
    }

    /// Returns the output of all threads, followed by the results of atomic operations.
    ///
    /// @throws AssertionError if the kernel traps or hangs
    static byte[] run(RandomProgram program, Cubin cubin) {
        try (KernelBench bench = new KernelBench(cubin)) {
            bench.limit(MOST_INSTRUCTIONS);
            byte[] input = program.input();
            int outputBytes = program.allThreads() * RandomProgram.OUTPUT_BYTES;
            long in = bench.allocate(input.length);
            bench.segment(in).copyFrom(MemorySegment.ofArray(input));
            long out = bench.allocate(outputBytes);
            long sums = bench.allocate(RandomProgram.SUM_BYTES);
            bench.launch(
                    RandomProgram.KERNEL,
                    new Dimensions(program.blocks(), 1, 1),
                    new Dimensions(program.threads(), 1, 1),
                    0,
                    in,
                    out,
                    sums);
            byte[] output =
                    Arrays.copyOf(
                            bytes(bench, out, outputBytes), outputBytes + RandomProgram.SUM_BYTES);
            byte[] found = bytes(bench, sums, RandomProgram.SUM_BYTES);
            System.arraycopy(found, 0, output, outputBytes, found.length);
            return output;
        }
    }

    private static byte[] bytes(KernelBench bench, long at, int count) {
        return bench.segment(at).asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
    }
}
