package io.gpuvm.vfio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.IovaRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class IovaPlanTest {
    private static final long MIB = 1 << 20;
    private static final long GPU_END = 1L << 40;

    @Test
    void givenMoreAddressesThanGpuReaches_whenPlanned_thenTopOf40BitAddressesIsReserved() {
        IovaPlan plan =
                IovaPlan.of(
                        List.of(
                                new IovaRange(0, 0xfedf_ffffL),
                                new IovaRange(0xfef0_0000L, Long.MAX_VALUE)));

        assertEquals(new IovaRange(GPU_END - 16 * MIB, GPU_END - 1), plan.reserved());
        assertEquals(
                List.of(
                        new IovaRange(0, 0xfedf_ffffL),
                        new IovaRange(0xfef0_0000L, GPU_END - 16 * MIB - 1)),
                plan.free());
    }

    @Test
    void givenIommuWithFewerBitsThanGpu_whenPlanned_thenTopOfIommuAddressesIsReserved() {
        IovaPlan plan = IovaPlan.of(List.of(new IovaRange(0, (1L << 39) - 1)));

        assertEquals((1L << 39) - 1, plan.reserved().last());
    }

    @Test
    void givenSmallLastRange_whenPlanned_thenNextLowerRangeIsUsed() {
        IovaPlan plan =
                IovaPlan.of(
                        List.of(
                                new IovaRange(0, 64 * MIB - 1),
                                new IovaRange(80 * MIB, 81 * MIB - 1)));

        assertEquals(new IovaRange(48 * MIB, 64 * MIB - 1), plan.reserved());
    }

    @Test
    void givenNoRoom_whenPlanned_thenPlanIsRefused() {
        List<IovaRange> tiny = List.of(new IovaRange(0, MIB - 1));

        assertThrows(GpuDeviceException.class, () -> IovaPlan.of(tiny));
    }
}
