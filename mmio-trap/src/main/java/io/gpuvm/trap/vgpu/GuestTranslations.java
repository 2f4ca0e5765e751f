package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.gf100.unit.PffbUnit;
import io.gpuvm.shadow.ShadowSpaces;
import io.gpuvm.shadow.ShadowStrategy;

/// Effects of a guest's PFFB: drops cached translations of the guest's page tables, and updates the
/// shadow tables and the mapped BARs. Confined to the virtual machine's thread.
final class GuestTranslations implements PffbUnit.Translations {
    private final Mmu mmu;
    private final ShadowSpaces spaces;
    private final ShadowStrategy strategy;
    private final ShadowFlushes flushes;
    private final VirtualChannels channels;
    private final GuestBars bars;

    /// @param mmu MMU of the guest
    GuestTranslations(
            Mmu mmu,
            ShadowSpaces spaces,
            ShadowStrategy strategy,
            ShadowFlushes flushes,
            VirtualChannels channels,
            GuestBars bars) {
        this.mmu = mmu;
        this.spaces = spaces;
        this.strategy = strategy;
        this.flushes = flushes;
        this.channels = channels;
        this.bars = bars;
    }

    @Override
    public void bigPagesOf64KiB(boolean chosen) {
        mmu.bigPagesOf64KiB(chosen);
        spaces.geometryChanged();
        bars.settle();
    }

    @Override
    public boolean flush(int vspace, int trigger) {
        mmu.invalidateTranslations();
        boolean toFlush = spaces.flush(vspace, trigger);
        if (strategy == ShadowStrategy.LAZY) {
            toFlush |= channels.prepareBusy();
        }
        bars.settle();
        return !toFlush || !flushes.begin(true);
    }
}
