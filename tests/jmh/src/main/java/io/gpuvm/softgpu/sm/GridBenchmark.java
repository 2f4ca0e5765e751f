package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.grid.Grid;
import io.gpuvm.softgpu.grid.GridRunner;
import io.gpuvm.softgpu.sm.code.Rows;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Speed-up of a grid with additional threads. Each slice is as long as the time slice of a
/// channel. `laneInstructions` counts each warp instruction as 32.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class GridBenchmark {
    private static final int BLOCKS = 32;
    private static final int SLICE_INSTRUCTIONS = 8192;

    /// Executed instructions.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Executed {
        public long laneInstructions;
    }

    @Param({"1", "2"})
    public int workers;

    @Param({"INTEGER", "FLOAT", "COPY"})
    public BenchmarkKernel kernel;

    private KernelMemory memory;
    private GridRunner runner;
    private int left;
    private final Safepoint pace = this::isSliceOver;

    @Setup
    public void load() {
        memory = new KernelMemory(Assembler.code(kernel.name(), kernel.text()));
        Kernels kernels = new Kernels(ExecutionMode.INTERPRETER);
        runner =
                new GridRunner(
                        workers, number -> new Sm(number, memory.mmu(), System::nanoTime, kernels));
    }

    @TearDown
    public void close() {
        runner.close();
        memory.close();
    }

    /// Executes a grid, from its launch to its end.
    @Benchmark
    public long grid(Executed executed) {
        Grid grid = runner.open(memory.launch(BLOCKS), workers);
        GridRunner.Progress progress;
        do {
            left = SLICE_INSTRUCTIONS;
            progress = runner.run(grid, pace);
        } while (progress == GridRunner.Progress.UNFINISHED);
        if (progress != GridRunner.Progress.DONE) {
            throw new IllegalStateException("trap=" + grid.trap());
        }
        executed.laneInstructions += grid.takeWarpInstructions() * Rows.LANES;
        long blocks = grid.takeBlocksEnded();
        runner.close(grid);
        return blocks;
    }

    private boolean isSliceOver(int instructions) {
        left -= instructions;
        return left <= 0;
    }
}
