package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.reg.BitField;
import io.gpuvm.gf100.reg.Pmc;
import java.util.concurrent.atomic.AtomicInteger;

/// PMC's part of interrupt delivery: one level per unit, a mask, a top-level enable, and one pin.
///
/// The tree latches nothing: a level is the current output of its unit, so an interrupt remains
/// asserted until the unit is serviced. Any thread may drive a line. Only the register thread
/// writes the masks. Every change is published before the pin is called, and the pin evaluates the
/// complete state. If two threads change state concurrently, the later call therefore sees both
/// changes.
///
/// Behaviour: nouveau `nvkm/core/intr.c`, `nvkm/subdev/mc/{gt215,nv04}.c`.
public final class InterruptTree implements Unit {
    private static final int ALL = -1;

    private final AtomicInteger pending = new AtomicInteger();
    private final InterruptPin pin;
    private int taken;

    private volatile int mask = ALL;
    private volatile int enable;
    private int nonHostMask = ALL;
    private int nonHostEnable;

    /// @param pin called when the level may have changed; must not set a line
    public InterruptTree(InterruptPin pin) {
        this.pin = pin;
    }

    /// Returns the input of one unit.
    ///
    /// @param leaf the unit's bit in `PMC.INTR_HOST`
    /// @throws IllegalStateException if the bit is already assigned
    public InterruptLine line(BitField leaf) {
        int bit = leaf.mask();
        if ((taken & bit) != 0) {
            throw new IllegalStateException(
                    "interrupt line=%#x, expected an unassigned line".formatted(bit));
        }
        taken |= bit;
        return asserted -> drive(bit, asserted);
    }

    /// Returns whether the GPU currently requests an interrupt.
    public boolean asserted() {
        return Pmc.INTR_EN_HARDWARE.isSet(enable) && (pending.get() & mask) != 0;
    }

    @Override
    public void declare(RegisterTable.Builder table) {
        table.onRead(Pmc.INTR_HOST, pending::get)
                .constant(Pmc.INTR_NRHOST, 0)
                .on(Pmc.INTR_EN_HOST, () -> enable, this::writeEnable)
                .on(Pmc.INTR_EN_NRHOST, () -> nonHostEnable, value -> nonHostEnable = value)
                .on(Pmc.INTR_MASK_HOST, () -> mask, this::writeMask)
                .on(Pmc.INTR_MASK_NRHOST, () -> nonHostMask, value -> nonHostMask = value)
                .constant(Pmc.INTR_PMFB, 0);
    }

    /// Resets masks and enables to the power-on state; lines keep the levels of their units. The
    /// masks then pass all interrupts: Linux 6.1 requires this, and never writes the masks.
    @Override
    public void reset() {
        nonHostMask = ALL;
        nonHostEnable = 0;
        mask = ALL;
        enable = 0;
        pin.levelMayHaveChanged();
    }

    private void drive(int bit, boolean asserted) {
        int before =
                asserted
                        ? pending.getAndAccumulate(bit, (word, set) -> word | set)
                        : pending.getAndAccumulate(bit, (word, clear) -> word & ~clear);
        if (asserted != ((before & bit) != 0)) {
            pin.levelMayHaveChanged();
        }
    }

    private void writeEnable(int value) {
        enable = Pmc.INTR_EN_HARDWARE.mask() & value;
        pin.levelMayHaveChanged();
    }

    private void writeMask(int value) {
        mask = value;
        pin.levelMayHaveChanged();
    }
}
