package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.GpuDevice;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Ptimer;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.reg.RegisterMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Values of all named registers at one time.
///
/// The clock is omitted, and so are registers that the device writes to maintain the BARs' page
/// tables.
final class PowerOnState {
    private static final Set<Integer> LEFT_OUT =
            Set.of(
                    Ptimer.TIME_LOW.offset(),
                    Ptimer.TIME_HIGH.offset(),
                    Pbus.BAR1.offset(),
                    Pbus.BAR3.offset(),
                    Pffb.VM_TLB_FLUSH_VSPACE.offset(),
                    Pffb.VM_TLB_FLUSH_TRIGGER.offset());

    private final int[] offsets = RegisterMap.gf100().definedOffsets();
    private final int[] values = new int[offsets.length];

    private PowerOnState() {}

    /// Reads all registers.
    static PowerOnState of(GpuDevice gpu) {
        PowerOnState state = new PowerOnState();
        for (int i = 0; i < state.offsets.length; i++) {
            int offset = state.offsets[i];
            if (!LEFT_OUT.contains(offset)) {
                state.values[i] = (int) gpu.read(Bar.BAR0, offset, Register.BYTES);
            }
        }
        return state;
    }

    /// Returns the registers that differ, with both values.
    List<String> differences(PowerOnState later) {
        List<String> different = new ArrayList<>();
        for (int i = 0; i < offsets.length; i++) {
            if (values[i] != later.values[i]) {
                different.add(
                        "%s=%#x, expected=%#x"
                                .formatted(
                                        RegisterMap.gf100().nameOf(offsets[i]),
                                        later.values[i],
                                        values[i]));
            }
        }
        return different;
    }
}
