package io.gpuvm.ptx.clang;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import io.gpuvm.ptx.PtxOptions;
import io.gpuvm.ptx.PtxResult;
import io.gpuvm.ptx.run.KernelBench;
import io.gpuvm.softgpu.sm.Dimensions;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// Execution of random kernels by compiled code on the software GPU.
final class CompiledKernels {
    private static final int OUT_BYTES =
            RandomKernels.BLOCKS
                    * RandomKernels.MAX_THREADS
                    * RandomKernels.OUT_WORDS
                    * Integer.BYTES;

    private CompiledKernels() {}

    /// Returns the results of all kernels, in the format of the program for the host.
    ///
    /// @param ptx code that clang has generated from the kernels' source
    static byte[] run(RandomKernels kernels, String ptx, PtxOptions options) {
        PtxResult result = PtxCompiler.compile(ptx, options);
        if (!result.isCompiled()) {
            throw new AssertionError(result.diagnostics());
        }
        List<RandomKernels.Kernel> all = kernels.kernels();
        ByteBuffer results =
                ByteBuffer.allocate(all.size() * RandomKernels.resultBytes())
                        .order(ByteOrder.LITTLE_ENDIAN);
        try (KernelBench bench = new KernelBench(Cubin.read(result.cubin().toBytes()))) {
            long in = bench.words(kernels.input());
            long out = bench.allocate(OUT_BYTES);
            long sums = bench.allocate(RandomKernels.SUMS * Integer.BYTES);
            for (RandomKernels.Kernel kernel : all) {
                bench.segment(out).asSlice(0, OUT_BYTES).fill((byte) 0);
                bench.segment(sums).copyFrom(MemorySegment.ofArray(RandomKernels.sums()));
                launch(bench, kernel, in, out, sums);
                results.put(bytes(bench, out, OUT_BYTES));
                results.put(bytes(bench, sums, RandomKernels.SUMS * Integer.BYTES));
            }
        }
        return results.array();
    }

    private static void launch(
            KernelBench bench, RandomKernels.Kernel kernel, long in, long out, long sums) {
        try {
            bench.launch(
                    kernel.name(),
                    new Dimensions(RandomKernels.BLOCKS, 1, 1),
                    new Dimensions(kernel.threads(), 1, 1),
                    0,
                    in,
                    out,
                    sums);
        } catch (AssertionError e) {
            throw new AssertionError(kernel.name(), e);
        }
    }

    private static byte[] bytes(KernelBench bench, long at, int count) {
        return bench.segment(at).asSlice(0, count).toArray(ValueLayout.JAVA_BYTE);
    }
}
