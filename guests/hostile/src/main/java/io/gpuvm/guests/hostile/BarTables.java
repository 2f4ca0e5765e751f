package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.PageTableEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.gf100.reg.Pbus;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Register;
import java.lang.foreign.ValueLayout;

/// Page tables of BAR1 or BAR3 in guest memory, located after the other structures of the hostile
/// guest.
final class BarTables {
    private static final long BASE = 16 * HostileGuest.MIB;
    private static final long DIRECTORY = BASE + InstanceBlock.BYTES;
    private static final long TABLE = DIRECTORY + TableGeometry.BIG_PAGES_128K.directoryBytes();
    private static final MemoryTarget WHERE = MemoryTarget.SYSTEM_COHERENT;

    private final HostileGuest guest;

    /// @param control [Pbus#BAR1] or [Pbus#BAR3]
    BarTables(HostileGuest guest, Register control) {
        this.guest = guest;
        new InstanceBlock()
                .wrap(guest.ram(), BASE)
                .directory(WHERE, DIRECTORY)
                .limit(TableGeometry.VA_MASK);
        guest.write(
                WHERE,
                DIRECTORY,
                PageDirectoryEntry.withSmallTable(PageDirectoryEntry.EMPTY, WHERE, TABLE));
        guest.write(
                control,
                (int) Pbus.BAR_INSTANCE.ofBytes(BASE)
                        | Pbus.BAR_TARGET.of(WHERE.pointerCode())
                        | Pbus.BAR_ENABLE.of(1));
    }

    /// Maps VRAM at a page of the BAR.
    void show(int page, long vram) {
        set(page, PageTableEntry.of(MemoryTarget.VRAM, vram));
    }

    /// Maps a channel's USERD in guest memory at a page of BAR1.
    void showUserd(int channel, long physical) {
        set(channel, PageTableEntry.of(WHERE, physical));
    }

    void flush() {
        guest.write(
                Pffb.VM_TLB_FLUSH_VSPACE,
                (int) Pffb.VM_TLB_FLUSH_VSPACE_ADDRESS.ofBytes(DIRECTORY)
                        | Pffb.VM_TLB_FLUSH_VSPACE_TARGET.of(WHERE.pointerCode()));
        guest.write(
                Pffb.VM_TLB_FLUSH_TRIGGER,
                Pffb.VM_TLB_FLUSH_TRIGGER_BUSY.mask() | Pffb.VM_TLB_FLUSH_ALL_PAGES.mask());
    }

    /// Returns the offset of a page in the BAR.
    static long offsetOf(int page) {
        return page * PageSize.SMALL_4K.bytes();
    }

    /// Returns the offset of a channel's doorbell in BAR1. The USERD areas begin at offset 0.
    static long doorbell(int channel) {
        return offsetOf(channel) + Userd.IB_PUT;
    }

    private void set(int page, long entry) {
        guest.ram().set(ValueLayout.JAVA_LONG, TABLE + (long) page * PageTableEntry.BYTES, entry);
    }
}
