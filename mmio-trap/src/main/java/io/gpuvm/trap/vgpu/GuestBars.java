package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.FaultSink;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.shadow.ShadowSpaces;

/// BARs through which a guest of a virtual GPU reaches memory. Each BAR has two consistent views:
/// messages, and the memory that the guest's VMM has mapped. Confined to the virtual machine's
/// thread.
final class GuestBars {
    private final Mmu mmu;
    private final MappedBars mapped;
    private final BarAperture bar1;
    private final BarAperture bar3;

    /// @param mmu MMU of the guest
    /// @param faults receives the accesses that the guest's page tables refuse
    /// @param spaces receives the guest's writes, and the pages that the guest can write without
    ///   traps
    /// @param rom content of PROM, length a multiple of 4 KiB
    GuestBars(VirtualGpuParts parts, Mmu mmu, FaultSink faults, ShadowSpaces spaces, byte[] rom) {
        this.mmu = mmu;
        mapped =
                new MappedBars(
                        parts.vm(),
                        parts.mapping(),
                        parts.identity(),
                        parts.share(),
                        parts.requests(),
                        new Exposed(spaces),
                        spaces,
                        rom);
        bar1 = new BarAperture(Bar.BAR1, parts.bar1Bytes(), mmu, faults);
        bar1.onVramWrite(spaces::onVramWrite);
        bar3 = new BarAperture(Bar.BAR3, parts.bar3Bytes(), mmu, faults);
        bar3.onVramWrite(spaces::onVramWrite);
    }

    /// Returns the parts that the guest's VMM may map.
    MappableBars mappable() {
        return mapped.mappable();
    }

    /// Returns the costs of mapping. Any thread.
    MappingCounters counters() {
        return mapped.counters();
    }

    /// Returns BAR1 as accessed by messages.
    BarAperture bar1() {
        return bar1;
    }

    /// Returns BAR3 as accessed by messages.
    BarAperture bar3() {
        return bar3;
    }

    /// Returns whether the doorbells would be in a mapped part; see [GuestWindows#hidesDoorbells].
    boolean hidesDoorbells(long userd) {
        return mapped.hidesDoorbells(userd);
    }

    /// Called when the guest has written register 0x001700.
    ///
    /// @param vramOffset new start of PRAMIN in VRAM
    void movePramin(long vramOffset) {
        mapped.movePramin(vramOffset);
        settle();
    }

    /// Called when the guest has written register 0x001704.
    void controlBar1(int value) {
        bar1.control(value);
        mapped.controlBar1(value);
        settle();
    }

    /// Called when the guest has written register 0x001714.
    void controlBar3(int value) {
        bar3.control(value);
        mapped.controlBar3(value);
        settle();
    }

    /// Applies changes of the guest's page tables: when this method returns, the mapped memory
    /// shows them. If pages of VRAM may have moved, drops the locations that the apertures have
    /// cached.
    void settle() {
        if (mapped.settle()) {
            mmu.invalidateTranslations();
        }
    }

    /// Resets the BARs with the GPU.
    void reset() {
        mapped.reset();
    }

    /// Receiver of the pages that the guest can write without traps; forwards them to the tracking
    /// of writes.
    private record Exposed(ShadowSpaces spaces) implements Exposure {
        @Override
        public void expose(long guestVram) {
            spaces.expose(guestVram);
        }

        @Override
        public void conceal(long guestVram) {
            spaces.conceal(guestVram);
        }
    }
}
