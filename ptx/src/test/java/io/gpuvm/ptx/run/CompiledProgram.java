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
    private CompiledProgram() {}

    /// Returns the output of all threads, followed by the results of atomic operations.
    static byte[] run(RandomProgram program, PtxOptions options) {
        PtxResult result = PtxCompiler.compile(program.source(), options);
        if (!result.isCompiled()) {
            throw new AssertionError(result.diagnostics());
        }
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
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
