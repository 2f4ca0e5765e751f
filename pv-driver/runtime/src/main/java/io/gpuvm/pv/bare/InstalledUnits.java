package io.gpuvm.pv.bare;

import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.gf100.driver.RegisterPort;
import io.gpuvm.gf100.reg.Ctxctl;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.PgraphState;
import io.gpuvm.gf100.reg.Punits;
import io.gpuvm.gf100.reg.RegisterArray;
import io.gpuvm.pv.protocol.GpuLimits;

/// Detection of the units of a GPU. Called on the thread that uses the [GpuDevice].
public final class InstalledUnits {
    private InstalledUnits() {}

    /// Returns the resources of the whole GPU, for a single user.
    public static GpuLimits limits(GpuDevice gpu) {
        return limits(gpu, new RegisterPort(gpu));
    }

    static GpuLimits limits(GpuDevice gpu, RegisterPort registers) {
        return new GpuLimits(
                name(gpu.identity()),
                gpu.vramBytes(),
                Pfifo.CHANNELS,
                multiprocessors(registers),
                copyEngines(registers));
    }

    private static String name(PciIdentity identity) {
        return identity.device() == Quadro6000.DEVICE
                ? "Quadro 6000"
                : "GF100 %04x:%04x".formatted(identity.vendor(), identity.device());
    }

    private static int multiprocessors(RegisterPort registers) {
        int gpcs = Ctxctl.UNITS_GPC_COUNT.get(registers.read(Ctxctl.UNITS));
        RegisterArray units = PgraphState.gpcUnits();
        int tpcs = 0;
        for (int gpc = 0; gpc < Math.min(gpcs, units.count()); gpc++) {
            tpcs += registers.read(units, gpc);
        }
        return tpcs;
    }

    private static int copyEngines(RegisterPort registers) {
        int disabled = registers.read(Punits.HW_MISC_DISABLE);
        return (Punits.MISC_DISABLE_PCOPY0.isSet(disabled) ? 0 : 1)
                + (Punits.MISC_DISABLE_PCOPY1.isSet(disabled) ? 0 : 1);
    }
}
