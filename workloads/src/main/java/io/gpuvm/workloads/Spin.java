package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuKernel;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;

/// Command of known length: one thread reads the GPU's clock until the given time has passed.
///
/// Only the software GPU's clock counts nanoseconds; a card's clock counts cycles.
final class Spin implements Workload {
    static final LaunchShape ONE_THREAD = LaunchShape.of(1, 1);

    private static final WorkloadSize SIZE =
            new WorkloadSize("microseconds of the kernel", 1, 1000, 2_000_000);

    @Override
    public String name() {
        return "spin";
    }

    @Override
    public String summary() {
        return "polls the clock in one thread for a given time: a command of known length";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size));
    }

    static Cubin cubin() {
        return KernelSource.assembled("spin");
    }

    private static final class Run extends GpuRun {
        private final Cubin cubin = cubin();
        private final byte[] result = new byte[SpinNotes.BYTES];
        private final int lengthNs;
        private GpuKernel kernel;
        private DeviceMemory notes;

        Run(GpuContext context, int lengthUs) {
            super(context);
            lengthNs = (int) TimeUnit.MICROSECONDS.toNanos(lengthUs);
        }

        @Override
        public void initialize() {
            kernel = load(cubin).kernel("spin");
            notes = allocate(SpinNotes.BYTES);
        }

        @Override
        public void wipe() {
            stream().fill(notes, 0, notes.bytes(), 0);
            stream().synchronize();
        }

        @Override
        public void copyIn() {}

        @Override
        public void launch() {
            stream().launch(kernel, ONE_THREAD, new Arguments().pointer(notes).i32(lengthNs));
            stream().synchronize();
        }

        @Override
        public void copyOut() {
            stream().copyToHost(MemorySegment.ofArray(result), notes, 0);
        }

        @Override
        public void verify() {
            new SpinNotes(MemorySegment.ofArray(result)).verify(lengthNs);
        }

        @Override
        public Work work() {
            return new Work(0, SpinNotes.BYTES, 1, 0, "op");
        }
    }
}
