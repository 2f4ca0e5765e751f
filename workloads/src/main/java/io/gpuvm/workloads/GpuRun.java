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

/// A run that keeps account of what it holds on the GPU, so that closing it frees everything,
/// whichever phase it came to.
///
/// Confined to one thread.
abstract class GpuRun implements WorkloadRun {
    /// Four of these are no number, and no result of integers that is likely.
    private static final int WIPED = 0xff;

    private final GpuContext context;
    private final List<DeviceMemory> memory = new ArrayList<>();
    private final Deque<Runnable> held = new ArrayDeque<>();

    GpuRun(GpuContext context) {
        this.context = context;
    }

    /// Where a run's copies and launches go: the context's default stream.
    final GpuStream stream() {
        return context.defaultStream();
    }

    /// Loads a module, until the run is closed.
    final GpuModule load(Cubin cubin) {
        GpuModule module = context.load(cubin);
        held.push(module::close);
        return module;
    }

    /// Allocates memory of the GPU's own, until the run is closed.
    final DeviceMemory allocate(long bytes) {
        DeviceMemory allocated = context.allocate(bytes);
        held.push(allocated::close);
        memory.add(allocated);
        return allocated;
    }

    /// Allocates memory that both sides reach, until the run is closed.
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

    /// The GPU's memory that was allocated, in that order: for tests that damage a result.
    List<DeviceMemory> memory() {
        return List.copyOf(memory);
    }

    /// Frees what was loaded and allocated, the last first. A second call does nothing.
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
