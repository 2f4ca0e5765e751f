package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.reg.Pbfb;
import io.gpuvm.gf100.reg.Punits;
import io.gpuvm.gf100.reg.Register;

/// How much VRAM a board carries, from its memory controllers (`nvkm/subdev/fb/ramgf100.c`).
public final class InstalledVram {
    private static final int MIB_SHIFT = 20;

    private InstalledVram() {}

    /// Bytes of VRAM that lie in one piece from offset 0.
    ///
    /// With controllers of different sizes, the hardware stripes over all of them only as much as
    /// the smallest has; the rest lies elsewhere and is not counted here.
    ///
    /// @throws GpuDeviceException if the registers make no sense: the card is not powered, or is no
    ///   GF100
    public static long bytes(RegisterPort registers) {
        int controllers = registers.read(Punits.DESIGN_PART_COUNT);
        if (controllers < 1 || controllers > Pbfb.MEM_AMOUNT.count()) {
            throw new GpuDeviceException(
                    "memory controllers=%d, limit=%d: %s does not answer as a GF100's"
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
