package io.gpuvm.trap.vgpu;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.Exported;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.SharedWindow;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Pramin;
import io.gpuvm.gf100.reg.Prom;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.port.WindowPort;
import io.gpuvm.shadow.ShadowBar;
import io.gpuvm.trap.vfiouser.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// BARs of a guest as memory that its VMM maps. Determines the page of VRAM that each page of the
/// BARs shows.
///
/// ```text
///   guest's BAR3 table --ShadowBar--> BarWindow ----+
///   guest's BAR1 table --ShadowBar--> BarWindow ----+--> VramPlaces --> windows --> GPU's owner
///   001700 -------------------------> PraminWindow -+
/// ```
///
/// A VMM maps a region once, and the mappable parts of the region must be known before the guest
/// runs. The beginning of BAR1 must be trapped, because drivers map the USERD areas with the
/// doorbells there (nouveau maps these areas before all other memory: `nvkm/engine/fifo/base.c`).
///
/// A page of VRAM is visible at one place at a time. If a guest maps a page at two places, hardware
/// shows the page at both, but the windows show it at only one. Such pages are counted; drivers use
/// only one of the two places.
///
/// If a guest's table maps a page of a BAR to system memory, or not at all, the page contains
/// meaningless data, and accesses to it cause no fault. Pages that the table marks as read-only are
/// writable. Confined to the virtual machine's thread.
final class GuestWindows implements MappableBars {
    private static final Logger LOG = LoggerFactory.getLogger(GuestWindows.class);

    private static final long USERD_BYTES = (long) Pfifo.CHANNELS * Userd.BYTES;
    private static final long BAR1_TRAPPED_BYTES = 2 * USERD_BYTES;

    /// Highest start of the USERD areas at which all doorbells are trapped.
    static final long LAST_USERD = BAR1_TRAPPED_BYTES - USERD_BYTES;

    private final String vm;
    private final DirectMapping mapping;
    private final WindowPort port;
    private final VramPlaces places;
    private final byte[] rom;
    private final long bar0Bytes;
    private final BarWindow bar3;
    private final BarWindow bar1;
    private final PraminWindow pramin;

    /// Window of BAR0 that a VMM maps; null while no VMM maps BAR0.
    private SharedWindow bar0;

    private final LogLimit refusals = LogLimit.once();

    /// @param vm name of the virtual machine, for logs
    /// @param identity identity with the sizes of the BARs
    /// @param port opens windows through the GPU's owner
    /// @param rom content of PROM, length a multiple of 4 KiB
    GuestWindows(
            String vm,
            DirectMapping mapping,
            PciIdentity identity,
            WindowPort port,
            VramPlaces places,
            byte[] rom) {
        this.vm = vm;
        this.mapping = mapping;
        this.port = port;
        this.places = places;
        this.rom = rom;
        bar0Bytes = identity.bytesOf(Bar.BAR0);
        bar3 = new BarWindow(places, VramPlaces.NOWHERE + 1, 0, identity.bytesOf(Bar.BAR3));
        bar1 =
                new BarWindow(
                        places, bar3.endPlace(), BAR1_TRAPPED_BYTES, identity.bytesOf(Bar.BAR1));
        pramin = new PraminWindow(places);
    }

    /// Returns the receiver of the guest's BAR3 table.
    ShadowBar.Pages bar3() {
        return bar3;
    }

    /// Returns the receiver of the guest's BAR1 table.
    ShadowBar.Pages bar1() {
        return bar1;
    }

    /// Returns whether the guest can access a BAR without traps.
    boolean isMapped(Bar bar) {
        return switch (bar) {
            case BAR3 -> bar3.window() != null;
            case BAR1 -> bar1.window() != null;
            default -> bar0 != null;
        };
    }

    /// Returns whether the doorbells would be in a mapped part, where writes cause no traps.
    ///
    /// @param userd start of the guest's USERD areas in BAR1
    boolean hidesDoorbells(long userd) {
        return isMapped(Bar.BAR1) && userd > LAST_USERD;
    }

    /// Opens the windows. If the GPU does not support windows or has no space for another window,
    /// the guest runs correctly but more slowly.
    @Override
    public void open() {
        try {
            if (mapping.hasBar3()) {
                bar3.window(port.openWindow(bar3.bytes()).orElse(null));
            }
            if (mapping.hasPramin()) {
                bar0 = port.openWindow(bar0Bytes).orElse(null);
                pramin.window(bar0);
            }
            if (mapping.hasBar1()) {
                bar1.window(port.openWindow(bar1.bytes()).orElse(null));
            }
        } catch (GpuDeviceException e) {
            if (refusals.spend()) {
                LOG.warn(
                        "{}: map={}: not all windows are mapped: {}",
                        vm,
                        mapping.option(),
                        e.getMessage());
            }
        }
        restoreProm();
        settle();
    }

    @Override
    public void close() {
        forget();
        bar0 = null;
        pramin.window(null);
        bar1.window(null);
        bar3.window(null);
        if (mapping != DirectMapping.NONE) {
            port.closeWindows();
        }
    }

    @Override
    public Region region(Bar bar, long bytes) {
        return switch (bar) {
            case BAR0 -> region(bar0, bytes, bar0Areas());
            case BAR1 ->
                    region(
                            bar1.window(),
                            bytes,
                            List.of(
                                    new Region.Area(
                                            BAR1_TRAPPED_BYTES, bytes - BAR1_TRAPPED_BYTES)));
            case BAR3 -> region(bar3.window(), bytes, List.of(new Region.Area(0, bytes)));
            default -> Region.trapped(bytes, true);
        };
    }

    /// Moves the start of PRAMIN, effective at the next [#settle()].
    ///
    /// @param vramOffset value that the guest has written, unchecked
    void movePramin(long vramOffset) {
        pramin.move(vramOffset);
    }

    /// Applies all changes through the GPU's owner.
    ///
    /// @return whether pages may have moved
    boolean settle() {
        if (places.takeFreed()) {
            bar3.findHeirs();
            bar1.findHeirs();
        }
        pramin.settle();
        return places.settle();
    }

    /// Hides all pages after a reset of the GPU.
    void reset() {
        forget();
        restoreProm();
    }

    private void forget() {
        bar3.clear();
        bar1.clear();
        pramin.clear();
        places.clear();
    }

    private void restoreProm() {
        if (bar0 != null && mapping.hasProm()) {
            MemorySegment image = MemorySegment.ofArray(rom);
            MemorySegment.copy(image, 0, bar0.memory(), Prom.WINDOW.first(), rom.length);
        }
    }

    private static Region region(SharedWindow window, long bytes, List<Region.Area> areas) {
        if (window == null) {
            return Region.trapped(bytes, true);
        }
        Exported file = window.exported();
        return new Region(bytes, true, file.descriptor(), file.offset(), areas);
    }

    private List<Region.Area> bar0Areas() {
        List<Region.Area> areas = new ArrayList<>();
        if (mapping.hasProm()) {
            areas.add(new Region.Area(Prom.WINDOW.first(), rom.length));
        }
        int first = Pramin.WINDOW.first();
        areas.add(new Region.Area(first, Pramin.WINDOW.end() - first));
        return areas;
    }
}
