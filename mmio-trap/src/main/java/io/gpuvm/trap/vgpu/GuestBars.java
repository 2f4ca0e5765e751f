package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.translation.BarAperture;
import io.gpuvm.gf100.translation.FaultSink;
import io.gpuvm.gf100.translation.Mmu;
import io.gpuvm.shadow.ShadowBar;
import io.gpuvm.shadow.ShadowSpaces;

/// The BARs of a guest through which it reaches memory, each in two ways that show the same: by
/// messages, and as what its VMM has mapped. Confined to the virtual machine's thread.
final class GuestBars {
    private final Mmu mmu;
    private final ShadowSpaces spaces;
    private final MappingCounters counters = new MappingCounters();
    private final GuestWindows windows;
    private final BarAperture bar1;
    private final BarAperture bar3;
    private final ShadowBar bar1Shadow;
    private final ShadowBar bar3Shadow;

    /// @param mmu the guest's
    /// @param faults told of accesses that the guest's page tables refuse
    /// @param spaces told of what the guest writes, or where it may without being seen
    /// @param rom what PROM shows, a multiple of 4 KiB
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

    /// What of them the guest's VMM may map.
    MappableBars mappable() {
        return windows;
    }

    /// What that has cost. Any thread.
    MappingCounters counters() {
        return counters;
    }

    /// BAR1 by messages.
    BarAperture bar1() {
        return bar1;
    }

    /// BAR3 by messages.
    BarAperture bar3() {
        return bar3;
    }

    /// See [GuestWindows#hidesDoorbells].
    boolean hidesDoorbells(long userd) {
        return windows.hidesDoorbells(userd);
    }

    /// The guest has written 001700.
    ///
    /// @param vramOffset where PRAMIN begins now
    void movePramin(long vramOffset) {
        windows.movePramin(vramOffset);
        settle();
    }

    /// The guest has written 001704.
    void controlBar1(int value) {
        control(Bar.BAR1, bar1, bar1Shadow, value);
    }

    /// The guest has written 001714.
    void controlBar3(int value) {
        control(Bar.BAR3, bar3, bar3Shadow, value);
    }

    /// The guest's page tables may mean something else: what is mapped shows it when this returns.
    /// Where pages of VRAM lie is part of what the apertures remember.
    void settle() {
        if (windows.settle()) {
            mmu.invalidateTranslations();
        }
    }

    /// The GPU was reset. The windows go first, so that nothing needs to move when the tables do.
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
