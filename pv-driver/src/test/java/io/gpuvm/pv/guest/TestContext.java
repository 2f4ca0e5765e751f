package io.gpuvm.pv.guest;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.bare.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/// A context on a software GPU.
final class TestContext implements AutoCloseable {
    private final RunningGpu gpu;
    private final GpuContext context;

    TestContext() {
        this("");
    }

    /// @param settings as on the command line
    TestContext(String settings) {
        gpu = new RunningGpu("workers=2" + (settings.isEmpty() ? "" : ",") + settings);
        context = GpuContext.open(NativeTransport.open(gpu.device()));
    }

    GpuContext context() {
        return context;
    }

    GpuStream stream() {
        return context.defaultStream();
    }

    /// Assembles and loads a kernel.
    GpuKernel kernel(String name, String source) {
        return context.load(Assembler.assemble(name, source)).kernel(name);
    }

    /// Memory of the GPU that holds this.
    DeviceMemory with(byte[] contents) {
        DeviceMemory memory = context.allocate(contents.length);
        stream().copyToDevice(memory, 0, MemorySegment.ofArray(contents));
        return memory;
    }

    byte[] read(DeviceMemory memory) {
        byte[] contents = new byte[(int) memory.bytes()];
        stream().copyToHost(MemorySegment.ofArray(contents), memory, 0);
        return contents;
    }

    static byte[] random(int bytes, long seed) {
        byte[] contents = new byte[bytes];
        new Random(seed).nextBytes(contents);
        return contents;
    }

    @Override
    public void close() {
        context.close();
        gpu.close();
    }
}
