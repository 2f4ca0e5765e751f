package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/// Tests of kernels that fail, and of uses of invalid handles.
class FailureTest {
    @Test
    void givenIllegalInstruction_whenLaunched_thenEveryLaterCallThrows() {
        assumeFalse(TestContext.isOnNouveau(), "nouveau only logs illegal instructions");
        try (TestContext gpu = new TestContext()) {
            GpuKernel kernel = gpu.kernel("illegal", Kernels.ILLEGAL);
            DeviceMemory memory = gpu.context().allocate(100);
            gpu.stream().launch(kernel, LaunchShape.of(1, 1), new Arguments());
            assertFailed(gpu, memory, GpuError.LAUNCH_FAILED, "ILLEGAL_INSTR_ENCODING");
        }
    }

    @Test
    void givenUnmappedAddress_whenKernelStores_thenFaultIsReported() {
        try (TestContext gpu = new TestContext()) {
            GpuKernel kernel = gpu.kernel("poke", Kernels.POKE);
            DeviceMemory memory = gpu.context().allocate(100);
            Arguments arguments = new Arguments().i64(Kernels.NOWHERE);
            gpu.stream().launch(kernel, LaunchShape.of(1, 1), arguments);
            String[] parts =
                    TestContext.isOnNouveau()
                            ? new String[] {"killed"}
                            : new String[] {Long.toHexString(Kernels.NOWHERE), "write"};
            assertFailed(gpu, memory, GpuError.LAUNCH_FAILED, parts);
        }
    }

    @Test
    void givenWatchdog_whenKernelDoesNotEnd_thenLaunchTimesOut() {
        try (TestContext gpu = new TestContext("watchdog=0.2")) {
            GpuKernel kernel = gpu.kernel("endless", Kernels.ENDLESS);
            DeviceMemory memory = gpu.context().allocate(100);
            gpu.stream().launch(kernel, LaunchShape.of(1, 1), new Arguments());
            assertFailed(gpu, memory, GpuError.LAUNCH_TIMEOUT);
        }
    }

    @Test
    void givenEndlessKernel_whenOtherKernelFails_thenContextCanBeClosed() {
        try (TestContext gpu = new TestContext()) {
            GpuStream other = gpu.context().newStream();
            GpuKernel poke = gpu.kernel("poke", Kernels.POKE);
            GpuKernel endless = gpu.kernel("endless", Kernels.ENDLESS);
            gpu.prepareForLaunches(other);
            gpu.stream().launch(endless, LaunchShape.of(1, 1), new Arguments());
            other.launch(poke, LaunchShape.of(1, 1), new Arguments().i64(Kernels.NOWHERE));
            assertError(GpuError.LAUNCH_FAILED, gpu.stream()::synchronize);
        }
    }

    @Test
    void givenFreedMemory_whenUsed_thenErrorIsInvalidHandle() {
        try (TestContext gpu = new TestContext()) {
            GpuKernel number = gpu.kernel("number", Kernels.NUMBER);
            DeviceMemory memory = gpu.context().allocate(100);
            PinnedMemory pinned = gpu.context().allocatePinned(100);
            final MemorySegment segment = pinned.segment();
            final Arguments arguments = new Arguments().pointer(memory).i32(1);
            memory.close();
            memory.close();
            pinned.close();
            invalid(memory::gpuVa, "memory is freed");
            invalid(pinned::segment, "memory is freed");
            invalid(() -> gpu.read(memory), "memory is freed");
            invalid(() -> gpu.stream().fill(memory, 0, 1, 0), "bytes=100");
            invalid(() -> gpu.stream().copyToHost(pinned, 0, memory, 0, 1), "memory is freed");
            invalid(
                    () -> gpu.stream().launch(number, LaunchShape.of(1, 1), arguments),
                    "memory is freed");
            assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    @Test
    void givenClosedModule_whenUsed_thenErrorIsInvalidHandle() {
        try (TestContext gpu = new TestContext()) {
            GpuModule module = gpu.load(Kernels.NARROW);
            GpuKernel kernel = module.kernel("narrow");
            DeviceMemory factor = module.variable("factor");
            factor.close();
            gpu.read(factor);
            module.close();
            module.close();
            invalid(() -> gpu.read(factor), "memory is freed");
            invalid(
                    () -> gpu.stream().launch(kernel, LaunchShape.of(1, 1), new Arguments()),
                    "module is closed");
        }
    }

    @Test
    void givenObjectsOfAnotherContext_whenUsed_thenErrorIsInvalidHandle() {
        try (TestContext one = new TestContext();
                TestContext two = new TestContext()) {
            DeviceMemory memory = one.context().allocate(100);
            GpuKernel nop = one.kernel("nop", Kernels.NOP);
            GpuEvent event = one.context().newEvent();
            GpuStream stream = two.stream();
            invalid(() -> two.read(memory), "another context");
            invalid(() -> stream.launch(nop, LaunchShape.of(1, 1), new Arguments()), "another");
            invalid(() -> stream.record(event), "another context");
            invalid(() -> stream.await(event), "another context");
        }
    }

    @Test
    void givenClosedContext_whenPartsAreUsed_thenErrorIsInvalidHandle() {
        TestContext gpu = new TestContext();
        GpuContext context = gpu.context();
        DeviceMemory memory = context.allocate(100);
        PinnedMemory pinned = context.allocatePinned(100);
        GpuStream stream = context.newStream();
        GpuEvent event = context.newEvent();
        GpuModule module = gpu.load(Kernels.NOP);
        final MemorySegment segment = pinned.segment();
        context.close();
        context.close();
        invalid(() -> context.allocate(1), "context is closed");
        invalid(() -> context.allocatePinned(1), "context is closed");
        invalid(context::newStream, "context is closed");
        invalid(context::newEvent, "context is closed");
        invalid(context::synchronize, "context is closed");
        invalid(() -> gpu.read(memory), "context is closed");
        invalid(() -> gpu.load(Kernels.NOP), "context is closed");
        invalid(stream::synchronize, "context is closed");
        invalid(stream::isDone, "context is closed");
        invalid(event::synchronize, "context is closed");
        memory.close();
        pinned.close();
        stream.close();
        event.close();
        module.close();
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        gpu.close();
    }

    @Test
    void givenClosedStreamOrEvent_whenUsed_thenErrorIsInvalidHandle() {
        try (TestContext gpu = new TestContext()) {
            GpuStream stream = gpu.context().newStream();
            GpuEvent event = gpu.context().newEvent();
            stream.close();
            stream.close();
            event.close();
            event.close();
            invalid(stream::synchronize, "stream is closed");
            invalid(event::isDone, "event is closed");
            invalid(() -> gpu.stream().record(event), "event is closed");
            gpu.stream().close();
            gpu.stream().synchronize();
        }
    }

    private static void invalid(Executable call, String... parts) {
        assertError(GpuError.INVALID_HANDLE, call, parts);
    }

    private static void assertFailed(
            TestContext gpu, DeviceMemory memory, GpuError error, String... parts) {
        assertError(error, gpu.stream()::synchronize, parts);
        assertError(error, gpu.context()::synchronize, parts);
        assertError(error, gpu.stream()::isDone, parts);
        assertError(error, () -> gpu.read(memory), parts);
        assertError(error, () -> gpu.context().allocate(1), parts);
        assertError(error, () -> gpu.context().newStream(), parts);
        assertError(error, () -> gpu.load(Kernels.NOP), parts);
        memory.close();
    }
}
