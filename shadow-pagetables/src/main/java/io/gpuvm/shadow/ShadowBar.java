package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;

/// Address space behind a guest's BAR, followed page by page, for a window that shows the BAR to
/// the guest as plain memory.
///
/// Hardware does not read it. It is updated when it is bound and at the guest's flushes
/// ([ShadowSpaces#flush]), with the lazy strategy too: no doorbell precedes the use of a BAR. Pages
/// that cannot be read show nothing. Confined to the virtual machine's thread.
public final class ShadowBar {
    /// Receiver of the content of the BAR's pages.
    public interface Pages {
        /// Called when the content of a page changes: while the BAR is bound or unbound, and within
        /// [ShadowSpaces#flush] and [ShadowSpaces#geometryChanged], after tables have been read.
        /// The receiver may expose and conceal pages.
        ///
        /// @param page number of the 4 KiB page in the BAR
        /// @param hostEntry as in [io.gpuvm.gf100.mmu.PageTableEntry], with an address in the
        ///   host's VRAM or on the bus; not present for an empty page
        void set(int page, long hostEntry);
    }

    private final ShadowSpaces spaces;
    private final ShadowParts parts;
    private final long barBytes;
    private final BarPages pages;

    /// Directory of the guest, and the tables that it leads to; null while there is none.
    private GuestTable directory;

    private TablePair[] tables;

    private MemoryTarget directoryTarget;
    private long directoryAddress;

    /// Length of the part that can be reached: the BAR, or less if the guest has set a limit.
    private long reachableBytes;

    /// @param spaces updates this object from now on
    /// @param barBytes length of the BAR, a multiple of 4 KiB
    /// @param pages receives the changes; no page is shown at first
    public ShadowBar(ShadowSpaces spaces, long barBytes, Pages pages) {
        this.spaces = spaces;
        this.barBytes = barBytes;
        parts = spaces.parts();
        int count = Math.toIntExact(barBytes >>> GuestReader.PAGE_SHIFT);
        this.pages = new BarPages(pages, parts.counters, count);
        spaces.add(this);
    }

    /// Binds the BAR to an instance block that the guest has named: reads directory and limit from
    /// the block, once, and follows that directory. A page that the limit cuts is shown whole.
    ///
    /// @param instanceTarget memory that contains the block, null for a meaningless code
    /// @param guestInstance address of the block there, in guest VRAM or guest-physical
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

    /// Unbinds the BAR after the guest has removed the instance block: all pages become empty.
    public void unbind() {
        directoryTarget = null;
        unfollow();
        pages.deliver();
    }

    /// Updates the pages when the guest flushes a directory, or all.
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

    /// Reads all tables again, because the geometry has changed.
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

    /// Tables that the guest's directory leads to.
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
