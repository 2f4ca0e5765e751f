package io.gpuvm.workloads;

import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.PinnedMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Copy of pinned memory, which the GPU accesses directly, to VRAM, and back to other memory.
///
/// Programs create their data in pinned memory, so the input is created in
/// [WorkloadRun#initialize()].
final class PinnedCopy implements Workload {
    private static final WorkloadSize SIZE = PageableCopy.SIZE;

    @Override
    public String name() {
        return "pincpy";
    }

    @Override
    public String summary() {
        return "copies pinned memory to the GPU and back: the transfer alone";
    }

    @Override
    public WorkloadSize size() {
        return SIZE;
    }

    @Override
    public WorkloadRun prepare(GpuContext context, int size, long seed) {
        return new Run(context, SIZE.check(size), seed);
    }

    private static final class Run extends GpuRun {
        private final byte[] input;
        private PinnedMemory source;
        private PinnedMemory target;
        private DeviceMemory device;

        Run(GpuContext context, int size, long seed) {
            super(context);
            input = PageableCopy.input(size, seed);
        }

        @Override
        public void initialize() {
            source = allocatePinned(input.length);
            target = allocatePinned(input.length);
            device = allocate(input.length);
            MemorySegment.copy(input, 0, source.segment(), ValueLayout.JAVA_BYTE, 0, input.length);
            // Touches the pages, which would otherwise be allocated during the copy.
            target.segment().fill((byte) 0);
        }

        @Override
        public void copyIn() {
            stream().copyToDevice(device, 0, source, 0, input.length);
            stream().synchronize();
        }

        @Override
        public void launch() {}

        @Override
        public void copyOut() {
            stream().copyToHost(target, 0, device, 0, input.length);
            stream().synchronize();
        }

        @Override
        public void verify() {
            MemorySegment found = target.segment().asSlice(0, input.length);
            Results.requireEqual("copy", found, MemorySegment.ofArray(input));
        }

        @Override
        public Work work() {
            return new Work(input.length, input.length, 0, 0, "op");
        }
    }
}
