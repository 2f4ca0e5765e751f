package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.GpuStream;
import io.gpuvm.pv.runtime.PinnedMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/// Run that records its resources on the GPU, so that [#close()] frees them after any phase.
///
/// Confined to one thread.
abstract class GpuRun implements WorkloadRun {
    /// Byte that, repeated four times, is NaN as a float and an unlikely integer.
    private static final int WIPED = 0xff;

    private final GpuContext context;
    private final List<DeviceMemory> memory = new ArrayList<>();
    private final Deque<Runnable> held = new ArrayDeque<>();

    GpuRun(GpuContext context) {
        this.context = context;
    }

    /// Returns the stream of a run's copies and launches: the context's default stream.
    final GpuStream stream() {
        return context.defaultStream();
    }

    /// Loads a module, which is unloaded when the run is closed.
    final GpuModule load(Cubin cubin) {
        GpuModule module = context.load(cubin);
        held.push(module::close);
        return module;
    }

    /// Allocates VRAM, which is freed when the run is closed.
    final DeviceMemory allocate(long bytes) {
        DeviceMemory allocated = context.allocate(bytes);
        held.push(allocated::close);
        memory.add(allocated);
        return allocated;
    }

    /// Allocates memory that both CPU and GPU can access, which is freed when the run is closed.
    final PinnedMemory allocatePinned(long bytes) {
        PinnedMemory allocated = context.allocatePinned(bytes);
        held.push(allocated::close);
        return allocated;
    }

    @Override
    public void wipe() {
        memory.forEach(each -> stream().fill(each, 0, each.bytes(), WIPED));
        stream().synchronize();
    }

    /// Returns the memory of the GPU in the order of its allocation, for tests that corrupt a
    /// result.
    List<DeviceMemory> memory() {
        return List.copyOf(memory);
    }

    /// Frees the loaded modules and the allocated memory in reverse order. A second call has no
    /// effect.
    @Override
    public void close() {
        RuntimeException first = null;
        while (!held.isEmpty()) {
            try {
                held.pop().run();
            } catch (RuntimeException e) {
                if (first == null) {
                    first = e;
                } else {
                    first.addSuppressed(e);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
