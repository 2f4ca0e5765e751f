package io.gpuvm.workloads;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuModule;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;

/// Run that uses the kernels of one source file, and counts its launches and the bytes that
/// `copyIn` and `copyOut` copy.
///
/// Confined to one thread.
abstract class KernelRun extends GpuRun {
    private final Cubin cubin;
    private GpuModule module;
    private long bytesIn;
    private long bytesOut;
    private long launches;

    /// @param source name of the kernels' source, without the extension
    KernelRun(GpuContext context, String source) {
        super(context);
        cubin = KernelSource.assembled(source);
    }

    /// Allocates the run's memory on the GPU.
    abstract void allocateMemory();

    /// Returns the result that [#copyOut()] copies: everything that [#verify()] compares.
    abstract MemorySegment result();

    @Override
    public final void initialize() {
        module = load(cubin);
        allocateMemory();
    }

    @Override
    public final void wipe() {
        super.wipe();
        bytesIn = 0;
        bytesOut = 0;
        launches = 0;
    }

    /// Allocates memory for floats, or other words of four bytes, on the GPU.
    final DeviceMemory allocateWords(long words) {
        return allocate(words * Integer.BYTES);
    }

    /// Copies a whole array to the start of the memory.
    final void copyIn(DeviceMemory target, MemorySegment source) {
        copyIn(target, 0, source);
    }

    /// Copies a whole array to an offset in the memory.
    final void copyIn(DeviceMemory target, long offset, MemorySegment source) {
        stream().copyToDevice(target, offset, source);
        bytesIn += source.byteSize();
    }

    /// Fills a whole array with data from the start of the memory.
    final void copyOut(MemorySegment target, DeviceMemory source) {
        copyOut(target, source, 0);
    }

    /// Fills a whole array with data from an offset in the memory.
    final void copyOut(MemorySegment target, DeviceMemory source, long offset) {
        stream().copyToHost(target, source, offset);
        bytesOut += target.byteSize();
    }

    /// Copies the host's input to the GPU in the middle of [#launch()].
    final void send(DeviceMemory target, MemorySegment source) {
        stream().copyToDevice(target, 0, source);
    }

    /// Copies intermediate results to the host in the middle of [#launch()].
    final void fetch(MemorySegment target, DeviceMemory source) {
        stream().copyToHost(target, source, 0);
    }

    /// Fills memory with zeros.
    final void zero(DeviceMemory target) {
        stream().fill(target, 0, target.bytes(), 0);
    }

    /// Launches a kernel on the run's stream.
    final void run(String kernel, LaunchShape shape, Arguments arguments) {
        stream().launch(module.kernel(kernel), shape, arguments);
        launches++;
    }

    /// Returns the work since the memory was last wiped.
    final Work done(long operations, String unit) {
        return new Work(bytesIn, bytesOut, launches, operations, unit);
    }
}
