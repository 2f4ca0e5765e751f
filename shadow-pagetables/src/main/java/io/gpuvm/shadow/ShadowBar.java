package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;

/// The address space behind a guest's BAR, followed page by page, for those who show the BAR to the
/// guest as plain memory.
///
/// Nothing of it reaches hardware. It is brought up to date when it is bound and at the guest's
/// flushes ([ShadowSpaces#flush]), with the lazy strategy too: nobody rings before a BAR is used.
/// What cannot be read shows nothing. Confined to the VM's thread.
public final class ShadowBar {
    /// Told what pages of the BAR show.
    public interface Pages {
        /// A page shows something else from now on. Called while the BAR is bound or unbound, and
        /// within [ShadowSpaces#flush] and [ShadowSpaces#geometryChanged], after tables have been
        /// read: it may expose and conceal pages.
        ///
        /// @param page number of the 4 KiB page in the BAR
        /// @param hostEntry as in [io.gpuvm.gf100.mmu.PageTableEntry], with an address in the
        ///   host's VRAM or on the bus; not present for nothing
        void set(int page, long hostEntry);
    }

    private final ShadowSpaces spaces;
    private final ShadowParts parts;
    private final long barBytes;
    private final BarPages pages;

    /// The guest's directory, and the tables that it leads to; null while there is none.
    private GuestTable directory;

    private TablePair[] tables;

    private MemoryTarget directoryTarget;
    private long directoryAddress;

    /// The bytes that can be reached: the BAR, or less if the guest has set a limit.
    private long reachableBytes;

    /// @param spaces keep it up to date from now on
    /// @param barBytes length of the BAR, a multiple of 4 KiB
    /// @param pages told what changes; nothing is shown at first
    public ShadowBar(ShadowSpaces spaces, long barBytes, Pages pages) {
        this.spaces = spaces;
        this.barBytes = barBytes;
        parts = spaces.parts();
        int count = Math.toIntExact(barBytes >>> GuestReader.PAGE_SHIFT);
        this.pages = new BarPages(pages, parts.counters, count);
        spaces.add(this);
    }

    /// The guest has named an instance block for the BAR: reads directory and limit from there,
    /// once, and follows that directory. A page that the limit cuts is shown whole.
    ///
    /// @param instanceTarget where it lies, null for the code that means nothing
    /// @param guestInstance its address there, in guest VRAM or guest-physical
    public void bind(MemoryTarget instanceTarget, long guestInstance) {
        unfollow();
        directoryTarget = null;
        long[] words = new long[GuestReader.PAGE_WORDS];
        if (parts.translation.isReadable(instanceTarget, guestInstance)
                && parts.reader.page(instanceTarget, guestInstance, words)) {
            InstanceBlock instance = new InstanceBlock().wrap(MemorySegment.ofArray(words), 0);
            directoryTarget = instance.directoryTarget();
            directoryAddress = instance.directoryAddress();
            long last = barBytes - 1;
            boolean isLimited = Long.compareUnsigned(instance.limit(), last) < 0;
            reachableBytes = (isLimited ? instance.limit() : last) + 1;
            follow();
        }
        pages.deliver();
    }

    /// The guest has taken the instance block away: nothing is shown.
    public void unbind() {
        directoryTarget = null;
        unfollow();
        pages.deliver();
    }

    /// The guest flushes a directory, or all.
    void flush(boolean all, MemoryTarget target, long guestDirectory) {
        if (directory == null) {
            return;
        }
        if (all || directory.isAt(target, guestDirectory)) {
            if (!directory.isTracked()) {
                readAll();
            } else if (parts.unseenTables > 0) {
                readUnseen();
            }
        }
        pages.deliver();
    }

    /// Tables mean something else now.
    void geometryChanged() {
        unfollow();
        follow();
        pages.deliver();
    }

    private void follow() {
        if (directoryTarget == null) {
            return;
        }
        if (!parts.translation.isReadable(directoryTarget, directoryAddress)) {
            parts.refusals.table(directoryTarget, directoryAddress);
            return;
        }
        TableGeometry geometry = spaces.geometry();
        int entries = geometry.directoryIndex(reachableBytes - 1) + 1;
        pages.reach((int) Math.ceilDiv(reachableBytes, GuestReader.PAGE_BYTES));
        tables = new TablePair[entries];
        for (int i = 0; i < entries; i++) {
            int base = i * geometry.tableEntries(PageSize.SMALL_4K);
            long bytes = Math.min(geometry.spanBytes(), reachableBytes - i * geometry.spanBytes());
            tables[i] =
                    new MergedPages(pages, parts.translation, geometry, base).tables(parts, bytes);
        }
        directory =
                new GuestTable(
                        parts,
                        directoryTarget,
                        directoryAddress,
                        entries,
                        new Followed(),
                        parts.directoryPage);
        directory.attach();
        readAll();
    }

    private void unfollow() {
        if (directory != null) {
            directory.detach();
            directory = null;
            for (TablePair pair : tables) {
                pair.follow(PageDirectoryEntry.EMPTY);
            }
        }
    }

    private void readAll() {
        long startNs = parts.nowNs();
        directory.readAll();
        parts.countShadowing(startNs);
    }

    private void readUnseen() {
        long startNs = parts.nowNs();
        for (TablePair pair : tables) {
            pair.readUnseen();
        }
        parts.countShadowing(startNs);
    }

    /// What the guest's directory leads to.
    private final class Followed implements EntrySink {
        @Override
        public void shadow(int index, long guestEntry) {
            tables[index].follow(guestEntry);
        }

        @Override
        public boolean isBlank(int first, int count) {
            for (int i = first; i < first + count; i++) {
                if (!tables[i].isEmpty()) {
                    return false;
                }
            }
            return true;
        }
    }
}
