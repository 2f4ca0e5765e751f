package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.api.function.Executable;

/// Context on a software GPU.
final class TestContext implements AutoCloseable {
    private final RunningGpu gpu;
    private final GpuContext context;

    TestContext() {
        this("workers=2");
    }

    /// @param settings settings as on the command line
    TestContext(String settings) {
        gpu = new RunningGpu(settings);
        context = GpuContext.open(NativeTransport.open(gpu.device()));
    }

    GpuContext context() {
        return context;
    }

    GpuStream stream() {
        return context.defaultStream();
    }

    /// Assembles and loads a module.
    GpuModule load(String source) {
        return context.load(Assembler.assemble("test", source));
    }

    /// Assembles and loads a kernel.
    GpuKernel kernel(String name, String source) {
        return load(source).kernel(name);
    }

    /// Allocates VRAM with these contents.
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

    /// Asserts that a call fails with an error whose message has all of these parts.
    static GpuException assertError(GpuError error, Executable call, String... parts) {
        GpuException e = assertThrows(GpuException.class, call);
        assertEquals(error, e.error(), e.getMessage());
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
        return e;
    }

    @Override
    public void close() {
        context.close();
        gpu.close();
    }
}
