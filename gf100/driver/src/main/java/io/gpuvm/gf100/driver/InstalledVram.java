package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.Punits;
import io.gpuvm.gf100.reg.Register;

/// Size of a board's VRAM, computed from the registers of the memory controllers
/// (`nvkm/subdev/fb/ramgf100.c`).
public final class InstalledVram {
    private static final int MIB_SHIFT = 20;

    private InstalledVram() {}

    /// Returns the number of bytes of contiguous VRAM from offset 0.
    ///
    /// With controllers of different sizes, the hardware stripes only the smallest size over all
    /// controllers; the remaining VRAM is at other addresses and is not counted.
    ///
    /// @throws GpuDeviceException if the registers are invalid, because the card is not powered or
    ///   is not a GF100
    public static long bytes(RegisterPort registers) {
        int controllers = registers.read(Punits.DESIGN_PART_COUNT);
        if (controllers < 1 || controllers > Pbfb.MEM_AMOUNT.count()) {
            throw new GpuDeviceException(
                    "memory controllers=%d, expected 1 to %d: %s does not respond as a GF100"
                            .formatted(controllers, Pbfb.MEM_AMOUNT.count(), Bar.BAR0));
        }
        int disabled = registers.read(Punits.HW_MC_DISABLE_MASK);
        long least = Long.MAX_VALUE;
        int enabled = 0;
        for (int i = 0; i < controllers; i++) {
            if ((disabled >>> i & 1) == 0) {
                Register amount = Pbfb.MEM_AMOUNT.element(i);
                least = Math.min(least, Integer.toUnsignedLong(registers.read(amount)));
                enabled++;
            }
        }
        return enabled == 0 ? 0 : least * enabled << MIB_SHIFT;
    }
}
