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
import io.gpuvm.port.GpuRequests;
import io.gpuvm.shadow.ShadowBar;
import io.gpuvm.trap.vfiouser.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A guest's BARs as memory that its VMM maps: which page of VRAM each page of them shows.
///
/// ```text
///   guest's BAR3 table --ShadowBar--> BarWindow ----+
///   guest's BAR1 table --ShadowBar--> BarWindow ----+--> VramPlaces --> windows --> GPU's owner
///   001700 -------------------------> PraminWindow -+
/// ```
///
/// A VMM maps a region once and for all, and which parts of it must be known before the guest runs.
/// BAR1 begins with what must be trapped, for drivers put the USERD areas there, and doorbells are
/// in those (nouveau makes that mapping before any other: `nvkm/engine/fifo/base.c`).
///
/// VRAM can be seen in one place at a time, so that what a guest names twice it sees once, unlike
/// with hardware; it is counted, and drivers use only one of the two. Pages of system memory, and
/// pages that a table does not map, show memory that means nothing; no fault is reported for them,
/// and a page that its table says is read-only can be written. Confined to the virtual machine's
/// thread.
final class GuestWindows implements MappableBars {
    private static final Logger LOG = LoggerFactory.getLogger(GuestWindows.class);

    private static final long USERD_BYTES = (long) Pfifo.CHANNELS * Userd.BYTES;
    private static final long BAR1_TRAPPED_BYTES = 2 * USERD_BYTES;

    /// Where the USERD areas may begin at the latest, so that all doorbells are trapped.
    static final long LAST_USERD = BAR1_TRAPPED_BYTES - USERD_BYTES;

    private final String vm;
    private final DirectMapping mapping;
    private final GpuRequests requests;
    private final VramPlaces places;
    private final byte[] rom;
    private final long bar0Bytes;
    private final BarWindow bar3;
    private final BarWindow bar1;
    private final PraminWindow pramin;

    /// Null while nobody maps it.
    private SharedWindow bar0;

    private final LogLimit refusals = LogLimit.once();

    /// @param vm the virtual machine's name, for logs
    /// @param identity how large the BARs are
    /// @param rom what PROM shows, a multiple of 4 KiB
    GuestWindows(
            String vm,
            DirectMapping mapping,
            PciIdentity identity,
            GpuRequests requests,
            VramPlaces places,
            byte[] rom) {
        this.vm = vm;
        this.mapping = mapping;
        this.requests = requests;
        this.places = places;
        this.rom = rom;
        bar0Bytes = identity.bytesOf(Bar.BAR0);
        bar3 = new BarWindow(places, VramPlaces.NOWHERE + 1, 0, identity.bytesOf(Bar.BAR3));
        bar1 =
                new BarWindow(
                        places, bar3.endPlace(), BAR1_TRAPPED_BYTES, identity.bytesOf(Bar.BAR1));
        pramin = new PraminWindow(places);
    }

    /// Where the guest's BAR3 table is to be brought.
    ShadowBar.Pages bar3() {
        return bar3;
    }

    /// Where the guest's BAR1 table is to be brought.
    ShadowBar.Pages bar1() {
        return bar1;
    }

    /// Whether the guest's accesses to a BAR may go unseen.
    boolean isMapped(Bar bar) {
        return switch (bar) {
            case BAR3 -> bar3.window() != null;
            case BAR1 -> bar1.window() != null;
            default -> bar0 != null;
        };
    }

    /// Whether doorbells would be in a part that is mapped, and so never be heard.
    ///
    /// @param userd where in BAR1 the guest has put the USERD areas
    boolean hidesDoorbells(long userd) {
        return isMapped(Bar.BAR1) && userd > LAST_USERD;
    }

    /// Without a window, because the GPU has none or no room for one, the guest is as right, though
    /// slower.
    @Override
    public void open() {
        try {
            if (mapping.hasBar3()) {
                bar3.window(requests.openWindow(bar3.bytes()).orElse(null));
            }
            if (mapping.hasPramin()) {
                bar0 = requests.openWindow(bar0Bytes).orElse(null);
                pramin.window(bar0);
            }
            if (mapping.hasBar1()) {
                bar1.window(requests.openWindow(bar1.bytes()).orElse(null));
            }
        } catch (GpuDeviceException e) {
            if (refusals.spend()) {
                LOG.warn("{}: map={}: not all is mapped: {}", vm, mapping.option(), e.getMessage());
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
            requests.closeWindows();
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

    /// PRAMIN begins somewhere else, once it is settled.
    ///
    /// @param vramOffset what the guest has asked for, anything
    void movePramin(long vramOffset) {
        pramin.move(vramOffset);
    }

    /// Has the GPU's owner make everything count that has changed.
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

    /// The GPU was reset: nothing is shown.
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
