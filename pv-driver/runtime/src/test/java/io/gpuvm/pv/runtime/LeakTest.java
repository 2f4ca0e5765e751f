package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.tests.support.OpenDescriptors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Tests that repeated opening and closing of objects does not increase the use of memory.
@Tag("soak")
class LeakTest {
    /// Number of rounds. Leaked modules of all rounds would exceed the memory.
    private static final int ROUNDS = 1200;

    private static final int CONTEXTS = 30;

    private static final long BYTES = 1 << 20;

    private static final Cubin ADD =
            Assembler.assemble("add", ".constant 2\n.space 65536\n" + Kernels.ADD);

    @Test
    void givenPartsOfContext_whenRepeatedlyOpenedAndClosed_thenNoResourceLeaks() {
        try (TestContext gpu = new TestContext()) {
            use(gpu);
            long descriptors = OpenDescriptors.count();
            for (int i = 0; i < ROUNDS; i++) {
                use(gpu);
            }
            assertNoneIsLeft(descriptors, ROUNDS);
        }
    }

    @Test
    void givenFailingCalls_whenRepeated_thenMemoryCanStillBeAllocated() {
        String greedy = Kernels.LOCAL.replace("place, 64", "place, 524000");
        try (TestContext gpu = new TestContext()) {
            GpuKernel kernel = gpu.kernel("local", greedy);
            try (DeviceMemory most = gpu.context().allocate(40 * BYTES)) {
                for (int i = 0; i < ROUNDS; i++) {
                    Arguments arguments = new Arguments().pointer(most);
                    assertError(
                            GpuError.OUT_OF_MEMORY,
                            () -> gpu.stream().launch(kernel, LaunchShape.of(1, 1), arguments));
                    assertError(GpuError.OUT_OF_MEMORY, () -> gpu.context().allocate(30 * BYTES));
                    assertError(
                            GpuError.INVALID_VALUE,
                            () -> gpu.stream().fill(most, 1, most.bytes(), 0));
                }
            }
            gpu.context().allocate(60 * BYTES).close();
        }
    }

    @Test
    void givenContexts_whenRepeatedlyOpenedUsedAndClosed_thenNoResourceLeaks() {
        try (TestContext gpu = new TestContext()) {
            use(gpu);
        }
        long descriptors = OpenDescriptors.count();
        for (int i = 0; i < CONTEXTS; i++) {
            try (TestContext gpu = new TestContext()) {
                use(gpu);
                // Programs may leave resources open.
                gpu.context().allocate(BYTES);
                gpu.context().allocatePinned(16 * BYTES);
                gpu.context().newStream();
            }
        }
        assertNoneIsLeft(descriptors, CONTEXTS);
    }

    private static void use(TestContext gpu) {
        GpuContext context = gpu.context();
        try (GpuStream stream = context.newStream();
                GpuEvent event = context.newEvent();
                GpuModule module = context.load(ADD);
                DeviceMemory memory = context.allocate(BYTES);
                DeviceMemory small = context.allocate(100);
                PinnedMemory pinned = context.allocatePinned(16 * BYTES)) {
            Arguments arguments = new Arguments().pointer(memory).i32(1);
            stream.launch(module.kernel("add"), LaunchShape.of(1, 8), arguments);
            stream.copyToHost(pinned, 0, memory, 0, BYTES);
            stream.copy(small, 0, memory, 0, 100);
            stream.record(event);
            context.defaultStream().await(event);
        }
    }

    /// Asserts that no round leaks a file. A deferred release can cause the next round to open
    /// another file; a leak opens a file in each round.
    private static void assertNoneIsLeft(long before, int times) {
        long more = OpenDescriptors.count() - before;
        assertTrue(more < times / 10, () -> "%d more files after %d rounds".formatted(more, times));
    }
}
