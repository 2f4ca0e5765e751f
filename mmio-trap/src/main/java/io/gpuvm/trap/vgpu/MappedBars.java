package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.port.VramShare;
import io.gpuvm.port.WindowPort;
import io.gpuvm.shadow.ShadowBar;
import io.gpuvm.shadow.ShadowSpaces;

/// BARs of a guest as memory that the guest's VMM maps: follows the guest's page tables of the BARs
/// and the position of PRAMIN, for a virtual GPU and for a GPU that is passed through. Confined to
/// the virtual machine's thread.
final class MappedBars {
    private final MappingCounters counters = new MappingCounters();
    private final GuestWindows windows;
    private final ShadowBar bar1;
    private final ShadowBar bar3;

    /// @param vm name of the virtual machine, for logs
    /// @param mapping parts that the VMM may map
    /// @param identity identity with the sizes of the BARs
    /// @param share VRAM of the guest
    /// @param port opens windows, and moves pages
    /// @param exposure receives the pages that the guest can write without traps
    /// @param spaces reads the guest's page tables at its flushes
    /// @param rom content of PROM, length a multiple of 4 KiB
    MappedBars(
            String vm,
            DirectMapping mapping,
            PciIdentity identity,
            VramShare share,
            WindowPort port,
            Exposure exposure,
            ShadowSpaces spaces,
            byte[] rom) {
        VramPlaces places = new VramPlaces(share, port, exposure, counters);
        windows = new GuestWindows(vm, mapping, identity, port, places, rom);
        bar1 = new ShadowBar(spaces, identity.bytesOf(Bar.BAR1), windows.bar1());
        bar3 = new ShadowBar(spaces, identity.bytesOf(Bar.BAR3), windows.bar3());
    }

    /// Returns the parts that the guest's VMM may map.
    MappableBars mappable() {
        return windows;
    }

    /// Returns the costs of mapping. Any thread.
    MappingCounters counters() {
        return counters;
    }

    /// Returns whether the doorbells would be in a mapped part; see [GuestWindows#hidesDoorbells].
    boolean hidesDoorbells(long userd) {
        return windows.hidesDoorbells(userd);
    }

    /// Moves PRAMIN, effective at the next [#settle()].
    ///
    /// @param vramOffset new start in VRAM, unchecked
    void movePramin(long vramOffset) {
        windows.movePramin(vramOffset);
    }

    /// Binds BAR1 to the instance block that the guest has written to register 0x001704, effective
    /// at the next [#settle()].
    void controlBar1(int value) {
        control(Bar.BAR1, bar1, value);
    }

    /// Binds BAR3 to the instance block that the guest has written to register 0x001714, effective
    /// at the next [#settle()].
    void controlBar3(int value) {
        control(Bar.BAR3, bar3, value);
    }

    /// Applies changes of the guest's page tables: when this method returns, the mapped memory
    /// shows them.
    ///
    /// @return whether pages of VRAM may have moved
    boolean settle() {
        return windows.settle();
    }

    /// Resets the BARs with the GPU. Clears the windows before the tables are unbound, so that no
    /// page moves.
    void reset() {
        windows.reset();
        bar1.unbind();
        bar3.unbind();
    }

    private void control(Bar bar, ShadowBar shadow, int value) {
        MemoryTarget target = MemoryTarget.ofPointer(Pbus.BAR_TARGET.get(value));
        if (windows.isMapped(bar) && Pbus.BAR_ENABLE.isSet(value) && target != null) {
            shadow.bind(target, Pbus.BAR_INSTANCE.bytes(Integer.toUnsignedLong(value)));
        } else {
            shadow.unbind();
        }
    }
}
