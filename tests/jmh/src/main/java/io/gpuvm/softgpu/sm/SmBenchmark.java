package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.softgpu.sm.code.Rows;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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

/// Execution of instructions by a multiprocessor. `laneInstructions` counts each warp instruction
/// as 32. `cpuNs` is the processor time, for machines with other load. With `-t 2`, two
/// multiprocessors run on two threads.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SmBenchmark {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /// Executed instructions.
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Executed {
        public long laneInstructions;
        public long cpuNs;
    }

    /// Kernel to execute.
    @Param public BenchmarkKernel kernel;

    private KernelMemory memory;
    private Sm sm;
    private long warpInstructions;
    private final Safepoint safepoint = this::count;

    @Setup
    public void load() {
        memory = new KernelMemory(Assembler.code(kernel.name(), kernel.text()));
        sm = new Sm(0, memory.mmu(), System::nanoTime, new Kernels(ExecutionMode.INTERPRETER));
        sm.load(memory.launch());
    }

    @TearDown
    public void close() {
        memory.close();
    }

    /// Executes one block of 256 threads, from its start to its end.
    @Benchmark
    public Outcome block(Executed executed) {
        warpInstructions = 0;
        long startNs = THREADS.getCurrentThreadCpuTime();
        sm.begin(0);
        Outcome outcome = sm.run(safepoint);
        if (outcome != Outcome.BLOCK_DONE) {
            throw new IllegalStateException(outcome + " " + sm.trap());
        }
        executed.cpuNs += THREADS.getCurrentThreadCpuTime() - startNs;
        executed.laneInstructions += warpInstructions * Rows.LANES;
        return outcome;
    }

    private boolean count(int instructions) {
        warpInstructions += instructions;
        return false;
    }
}
