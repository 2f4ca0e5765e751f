package io.gpuvm.pv.runtime;

import static io.gpuvm.pv.runtime.TestContext.assertError;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.gpuvm.pv.transport.AddressRange;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests of contexts with addresses of the caller, and of contexts whose allocations do not wait.
class ContextSettingsTest {
    private static final AddressRange RANGE = new AddressRange(0x41_0000_0000L, 64 << 20);

    private static final ContextSettings IN_RANGE = ContextSettings.DEFAULT.within(RANGE);

    private static final ContextSettings WITHOUT_WAITS = new ContextSettings(null, false);

    @Test
    void givenRange_whenMemoryIsAllocated_thenDeviceMemoryLiesInRange() {
        assumeNoNouveau();
        try (TestContext gpu = new TestContext("workers=2", IN_RANGE)) {
            DeviceMemory small = gpu.context().allocate(100);
            DeviceMemory large = gpu.context().allocate(8 << 20);
            PinnedMemory pinned = gpu.context().allocatePinned(100);
            GpuModule module = gpu.load(Kernels.NUMBER + ".constant 2\nword: .long 5\n");

            assertInRange(true, small);
            assertInRange(true, large);
            assertInRange(true, module.variable("word"));
            assertInRange(false, pinned);
            Arguments arguments = new Arguments().pointer(large).i32(7);
            gpu.stream().launch(module.kernel("number"), LaunchShape.of(1, 4), arguments);
            assertEquals(7, gpu.read(large)[0]);
            assertEquals(10, gpu.read(large)[12]);
        }
    }

    @Test
    void givenRange_whenRangeIsFull_thenErrorNamesRangeAndLimit() {
        assumeNoNouveau();
        ContextSettings little =
                ContextSettings.DEFAULT.within(new AddressRange(RANGE.first(), 1 << 20));
        try (TestContext gpu = new TestContext("workers=2", little)) {
            assertError(
                    GpuError.OUT_OF_MEMORY,
                    () -> gpu.context().allocate(2 << 20),
                    "limit=1044480",
                    "0x4100000000-0x4100100000");
        }
    }

    @Test
    void givenInvalidRange_whenSettingsAreCreated_thenErrorNamesRange() {
        assertError(
                GpuError.INVALID_VALUE,
                () -> ContextSettings.DEFAULT.within(new AddressRange(4096, 4096)),
                "device addresses=0x1000");
    }

    @Test
    void givenTwoContexts_whenAddressesAreShared_thenNoAddressIsUsedTwice() {
        assumeNoNouveau();
        try (TestContext one = new TestContext("workers=2", IN_RANGE);
                TestContext two = new TestContext("workers=2", IN_RANGE)) {
            DeviceMemory first = one.context().allocate(4 << 20);
            DeviceMemory second = two.context().allocate(4 << 20);

            assertTrue(second.gpuVa() >= first.gpuVa() + first.bytes());
        }
    }

    @Test
    void givenClosedContext_whenAddressesAreShared_thenAddressesAreFreeAgain() {
        assumeNoNouveau();
        ContextSettings little =
                ContextSettings.DEFAULT.within(new AddressRange(RANGE.first(), 8 << 20));
        for (int i = 0; i < 3; i++) {
            try (TestContext gpu = new TestContext("workers=2", little)) {
                gpu.context().allocate(1);
                gpu.context().allocate(4 << 20);
            }
        }
    }

    @Test
    void givenContextWithoutWaits_whenMemoryIsInUse_thenAllocationFailsUntilRelease() {
        try (TestContext gpu = new TestContext("workers=2", WITHOUT_WAITS)) {
            GpuContext context = gpu.context();
            PinnedMemory flag = context.allocatePinned(4);
            GpuKernel spin = gpu.kernel("spin", Kernels.SPIN);
            DeviceMemory most = context.allocate(40 << 20);
            gpu.stream().launch(spin, LaunchShape.of(1, 1), new Arguments().pointer(flag));
            most.close();

            assertError(GpuError.OUT_OF_MEMORY, () -> context.allocate(40 << 20));
            assertTrue(context.releases().arePending());
            flag.segment().set(ValueLayout.JAVA_INT, 0, 1);
            context.synchronize();

            assertFalse(context.releases().arePending());
            context.allocate(40 << 20);
        }
    }

    @Test
    void givenContextWithoutWaits_whenManyReleasesArePossible_thenEachCallRunsFewReleases() {
        try (TestContext gpu = new TestContext("workers=2", WITHOUT_WAITS)) {
            GpuContext context = gpu.context();
            PinnedMemory flag = context.allocatePinned(4);
            GpuKernel spin = gpu.kernel("spin", Kernels.SPIN);
            List<DeviceMemory> pieces =
                    Stream.generate(() -> context.allocate(1)).limit(2000).toList();
            gpu.stream().launch(spin, LaunchShape.of(1, 1), new Arguments().pointer(flag));
            pieces.forEach(DeviceMemory::close);
            flag.segment().set(ValueLayout.JAVA_INT, 0, 1);
            context.synchronize();

            Releases before = context.releases();
            Releases after = context.releases();

            assertTrue(after.arePending());
            assertTrue(after.done() > before.done());
            assertTrue(after.done() - before.done() < 500, before + ", then " + after);
            while (context.releases().arePending()) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void givenAllocations_whenFreeVramIsRead_thenAllocatedBytesAreMissing() {
        assumeNoNouveau();
        try (TestContext gpu = new TestContext()) {
            gpu.context().allocate(100);
            final long before = gpu.context().freeVramBytes();
            DeviceMemory large = gpu.context().allocate(8 << 20);
            DeviceMemory small = gpu.context().allocate(1000);

            assertEquals(before - (8 << 20) - 1024, gpu.context().freeVramBytes());
            large.close();
            small.close();
            gpu.context().synchronize();
            assertEquals(before, gpu.context().freeVramBytes());
        }
    }

    private static void assertInRange(boolean expected, GpuBuffer memory) {
        boolean isInRange = memory.gpuVa() >= RANGE.first() && memory.gpuVa() < RANGE.end();
        assertEquals(expected, isInRange, () -> Long.toHexString(memory.gpuVa()));
    }

    private static void assumeNoNouveau() {
        assumeFalse(TestContext.isOnNouveau(), "nouveau chooses the addresses");
    }
}
