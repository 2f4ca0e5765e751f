package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.nouveau.NouveauTransport;
import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/// Context on a software GPU of its own, or on the GPU of the machine's nouveau.
final class TestContext implements AutoCloseable {
    /// System property that selects nouveau: path of a DRM device, empty for the first render node.
    static final String NOUVEAU = "gpuvm.test.nouveau";

    /// System property, `true` if a backend shares nouveau's GPU among virtual machines.
    static final String SHARED = "gpuvm.test.shared";

    /// Prefixes of settings with which tests also run on nouveau, because these settings do not
    /// change results or are the default. The GPU has at least 128 MiB of VRAM.
    private static final List<String> FREE_SETTINGS =
            List.of("workers=", "copy-engines=on", "vram=");

    /// Software GPU; null on nouveau.
    private final RunningGpu gpu;

    private final GpuContext context;

    TestContext() {
        this("workers=2");
    }

    /// @param settings settings of the software GPU, as on the command line
    TestContext(String settings) {
        this(settings, ContextSettings.DEFAULT);
    }

    /// @param settings settings of the software GPU, as on the command line
    TestContext(String settings, ContextSettings ofContext) {
        String device = System.getProperty(NOUVEAU);
        if (device == null) {
            gpu = new RunningGpu(settings);
            context = GpuContext.open(NativeTransport.open(gpu.device()), ofContext);
        } else {
            assumeTrue(
                    Stream.of(settings.split(","))
                            .allMatch(one -> FREE_SETTINGS.stream().anyMatch(one::startsWith)),
                    () -> "nouveau's GPU has its own settings, not " + settings);
            gpu = null;
            context = GpuContext.open(openNouveau(device), ofContext);
        }
    }

    private static GpuTransport openNouveau(String device) {
        return device.isEmpty() ? NouveauTransport.open() : NouveauTransport.open(Path.of(device));
    }

    /// Returns whether the context uses nouveau, which gives no reason when it kills a channel, and
    /// does not report illegal instructions.
    static boolean isOnNouveau() {
        return System.getProperty(NOUVEAU) != null;
    }

    /// Returns whether a backend shares the GPU, and therefore runs one command at a time on each
    /// engine.
    static boolean isShared() {
        return Boolean.getBoolean(SHARED);
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

    /// Allocates a stream's memory for launches of small kernels. On nouveau, an allocation may
    /// wait for the GPU; without this call, a stream's first launch could therefore wait for an
    /// endless kernel of another stream.
    void prepareForLaunches(GpuStream stream) {
        stream.launch(kernel("nop", Kernels.NOP), LaunchShape.of(1, 1), new Arguments());
        stream.synchronize();
    }

    /// Allocates VRAM with the given contents.
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

    /// Asserts that a call fails with the given error, whose message contains all given parts.
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
        if (gpu != null) {
            gpu.close();
        }
    }
}
