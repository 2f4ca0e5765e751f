package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;

import io.gpuvm.gf100.asm.Assembler;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of launches and modules that are refused before they reach the GPU.
class LaunchLimitsTest {
    /// Kernel with 40 registers: 26 warps need more registers than a multiprocessor has.
    private static final String MANY_REGISTERS =
            ".kernel many\n.registers 40\n.shared 40000\nEXIT\n.end\n";

    /// Offset of the architecture in a file's header.
    private static final int ELF64_FLAGS = 48;

    private final TestContext gpu = new TestContext();
    private final DeviceMemory out = gpu.context().allocate(4096);

    @AfterEach
    void close() {
        gpu.close();
    }

    @Test
    void givenInvalidShapes_whenLaunched_thenErrorNamesValue() {
        GpuKernel nop = gpu.kernel("nop", Kernels.NOP);
        refused(nop, new LaunchShape(0, 1, 1, 1, 1, 1, 0), "nop: grid x=0", "expected 1 to 65535");
        refused(nop, new LaunchShape(1, 65536, 1, 1, 1, 1, 0), "grid y=65536");
        refused(nop, new LaunchShape(1, 1, -1, 1, 1, 1, 0), "grid z=-1");
        refused(nop, new LaunchShape(1, 1, 1, 1025, 1, 1, 0), "block x=1025", "expected 1 to 1024");
        refused(nop, new LaunchShape(1, 1, 1, 1, 1025, 1, 0), "block y=1025");
        refused(nop, new LaunchShape(1, 1, 1, 1, 1, 65, 0), "block z=65", "expected 1 to 64");
        refused(nop, new LaunchShape(1, 1, 1, 32, 33, 1, 0), "threads of a block=1056");
        refused(nop, new LaunchShape(1, 1, 1, 1, 1, 1, -4), "dynamic shared bytes=-4");
    }

    @Test
    void givenKernelsWithExcessiveNeeds_whenLaunched_thenErrorIsOutOfResources() {
        GpuKernel many = gpu.kernel("many", MANY_REGISTERS);
        assertError(
                GpuError.OUT_OF_RESOURCES,
                () -> launch(many, LaunchShape.of(1, 832)),
                "kernel many: registers of a block=33280",
                "limit=32768");
        assertError(
                GpuError.OUT_OF_RESOURCES,
                () -> launch(many, LaunchShape.of(1, 32).withDynamicShared(9153)),
                "shared bytes=49153",
                "limit=49152");
        launch(many, LaunchShape.of(1, 800).withDynamicShared(9152));
        gpu.context().synchronize();
    }

    @Test
    void givenMismatchedArguments_whenLaunched_thenLaunchIsRefused() {
        GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
        wrong(number, new Arguments(), "kernel number: arguments=0", "expected=2");
        wrong(number, new Arguments().pointer(out), "arguments=1");
        wrong(number, new Arguments().pointer(out).i32(1).i32(2), "arguments=3");
        wrong(number, new Arguments().i32(1).i32(2), "bytes of argument 0=4", "expected=8");
        wrong(number, new Arguments().pointer(out).i64(1), "bytes of argument 1=8", "expected=4");
        wrong(
                number,
                new Arguments().bytes(new byte[8]).bytes(new byte[3]),
                "bytes of argument 1=3",
                "expected=4");
        assertError(
                GpuError.INVALID_VALUE,
                () -> new Arguments().pointer(out, 4097),
                "pointer offset=4097",
                "expected 0 to 4096");
        GpuKernel nop = gpu.kernel("nop", Kernels.NOP);
        wrong(nop, new Arguments().i32(1), "kernel nop: bytes of arguments=4", "expected=0");
    }

    @Test
    void givenUnknownNames_whenLookedUp_thenErrorListsKnownNames() {
        GpuModule module = gpu.load(Kernels.NARROW);
        assertError(GpuError.NOT_FOUND, () -> module.kernel("none"), "kernel=none", "[narrow]");
        assertError(GpuError.NOT_FOUND, () -> module.variable("none"), "variable=none", "factor");
    }

    @Test
    void givenFilesOtherThanModules_whenLoaded_thenErrorIsInvalidImage() {
        assertError(GpuError.INVALID_IMAGE, () -> gpu.context().load(new byte[0]));
        assertError(GpuError.INVALID_IMAGE, () -> gpu.context().load(new byte[100]));
        byte[] file = Assembler.assemble("nop", Kernels.NOP).toBytes();
        gpu.context().load(file).close();
        byte[] half = Arrays.copyOf(file, file.length / 2);
        assertError(GpuError.INVALID_IMAGE, () -> gpu.context().load(half), "limit=");
        file[ELF64_FLAGS] = 35;
        assertError(
                GpuError.INVALID_IMAGE,
                () -> gpu.context().load(file),
                "architecture=35",
                "expected 20 or 21");
    }

    private void launch(GpuKernel kernel, LaunchShape shape) {
        gpu.stream().launch(kernel, shape, new Arguments());
    }

    private void refused(GpuKernel kernel, LaunchShape shape, String... parts) {
        assertError(GpuError.INVALID_VALUE, () -> launch(kernel, shape), parts);
    }

    private void wrong(GpuKernel kernel, Arguments arguments, String... parts) {
        assertError(
                GpuError.INVALID_VALUE,
                () -> gpu.stream().launch(kernel, LaunchShape.of(1, 1), arguments),
                parts);
    }
}
