package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.FaultSink;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.shadow.ShadowBar;
import io.gpuvm.shadow.ShadowSpaces;

/// BARs through which a guest reaches memory. Each BAR has two consistent views: messages, and the
/// memory that the guest's VMM has mapped. Confined to the virtual machine's thread.
final class GuestBars {
    private final Mmu mmu;
    private final ShadowSpaces spaces;
    private final MappingCounters counters = new MappingCounters();
    private final GuestWindows windows;
    private final BarAperture bar1;
    private final BarAperture bar3;
    private final ShadowBar bar1Shadow;
    private final ShadowBar bar3Shadow;

    /// @param mmu MMU of the guest
    /// @param faults receives the accesses that the guest's page tables refuse
    /// @param spaces receives the guest's writes, and the pages that the guest can write without
    ///   traps
    /// @param rom content of PROM, length a multiple of 4 KiB
    GuestBars(VirtualGpuParts parts, Mmu mmu, FaultSink faults, ShadowSpaces spaces, byte[] rom) {
        this.mmu = mmu;
        this.spaces = spaces;
        VramPlaces places =
                new VramPlaces(parts.share(), parts.requests(), new Exposed(), counters);
        windows =
                new GuestWindows(
                        parts.vm(),
                        parts.mapping(),
                        parts.identity(),
                        parts.requests(),
                        places,
                        rom);
        bar1 = new BarAperture(Bar.BAR1, parts.bar1Bytes(), mmu, faults);
        bar1.onVramWrite(spaces::onVramWrite);
        bar1Shadow = new ShadowBar(spaces, parts.bar1Bytes(), windows.bar1());
        bar3 = new BarAperture(Bar.BAR3, parts.bar3Bytes(), mmu, faults);
        bar3.onVramWrite(spaces::onVramWrite);
        bar3Shadow = new ShadowBar(spaces, parts.bar3Bytes(), windows.bar3());
    }

    /// Returns the parts that the guest's VMM may map.
    MappableBars mappable() {
        return windows;
    }

    /// Returns the costs of mapping. Any thread.
    MappingCounters counters() {
        return counters;
    }

    /// Returns BAR1 as accessed by messages.
    BarAperture bar1() {
        return bar1;
    }

    /// Returns BAR3 as accessed by messages.
    BarAperture bar3() {
        return bar3;
    }

    /// Returns the result of [GuestWindows#hidesDoorbells].
    boolean hidesDoorbells(long userd) {
        return windows.hidesDoorbells(userd);
    }

    /// Called when the guest has written register 0x001700.
    ///
    /// @param vramOffset new start of PRAMIN in VRAM
    void movePramin(long vramOffset) {
        windows.movePramin(vramOffset);
        settle();
    }

    /// Called when the guest has written register 0x001704.
    void controlBar1(int value) {
        control(Bar.BAR1, bar1, bar1Shadow, value);
    }

    /// Called when the guest has written register 0x001714.
    void controlBar3(int value) {
        control(Bar.BAR3, bar3, bar3Shadow, value);
    }

    /// Applies changes of the guest's page tables: when this method returns, the mapped memory
    /// shows them. If pages of VRAM may have moved, drops the locations that the apertures have
    /// cached.
    void settle() {
        if (windows.settle()) {
            mmu.invalidateTranslations();
        }
    }

    /// Resets the BARs with the GPU. Clears the windows before the tables are unbound, so that no
    /// page moves.
    void reset() {
        windows.reset();
        bar1Shadow.unbind();
        bar3Shadow.unbind();
    }

    private void control(Bar bar, BarAperture aperture, ShadowBar shadow, int value) {
        aperture.control(value);
        if (windows.isMapped(bar) && aperture.isEnabled()) {
            shadow.bind(aperture.instanceTarget(), aperture.instanceAddress());
        } else {
            shadow.unbind();
        }
        settle();
    }

    private final class Exposed implements Exposure {
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
