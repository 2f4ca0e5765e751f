package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;

/// Shadow of the address space that a guest's BAR shows, page by page, for a window that gives the
/// guest the BAR as plain memory.
///
/// Hardware does not read this shadow. It is updated when the BAR is bound and at the guest's
/// flushes ([ShadowSpaces#flush]), even with the lazy strategy, because no doorbell precedes the
/// use of a BAR. Pages that cannot be read are empty. Confined to the virtual machine's thread.
public final class ShadowBar {
    /// Receiver of the content of the BAR's pages.
    public interface Pages {
        /// Called when the content of a page changes: during [ShadowBar#bind], [ShadowBar#unbind],
        /// [ShadowSpaces#flush] and [ShadowSpaces#geometryChanged], after tables have been read.
        /// The receiver may expose and conceal pages.
        ///
        /// @param page number of the 4 KiB page in the BAR
        /// @param hostEntry entry in the format of [io.gpuvm.gf100.mmu.PageTableEntry], with an
        ///   address in the host's VRAM or on the bus; not present for an empty page
        void set(int page, long hostEntry);
    }

    private final ShadowSpaces spaces;
    private final ShadowParts parts;
    private final long barBytes;
    private final BarPages pages;

    /// Directory of the guest, and the tables to which it points; null while no directory is
    /// followed.
    private GuestTable directory;

    private TablePair[] tables;

    private MemoryTarget directoryTarget;
    private long directoryAddress;

    /// Length of the reachable part: the whole BAR, or less if the guest has set a limit.
    private long reachableBytes;

    /// @param spaces spaces that update this object
    /// @param barBytes length of the BAR, a multiple of 4 KiB
    /// @param pages receives the changes; all pages are initially empty
    public ShadowBar(ShadowSpaces spaces, long barBytes, Pages pages) {
        this.spaces = spaces;
        this.barBytes = barBytes;
        parts = spaces.parts();
        int count = Math.toIntExact(barBytes >>> GuestReader.PAGE_SHIFT);
        this.pages = new BarPages(pages, parts.counters, count);
        spaces.add(this);
    }

    /// Binds the BAR to an instance block of the guest: reads the directory's address and the limit
    /// from the block, once, and follows the directory. A page that is partly beyond the limit is
    /// shown completely.
    ///
    /// @param instanceTarget memory that contains the block, null for an invalid code
    /// @param guestInstance address of the block in guest VRAM, or its guest-physical address
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

    /// Updates the pages when the guest flushes a directory, or all directories.
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

    /// Tables to which the guest's directory points.
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
