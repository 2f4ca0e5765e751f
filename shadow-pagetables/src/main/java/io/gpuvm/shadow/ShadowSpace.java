package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;

/// Shadow of one guest page directory, shared by all channels that use the directory. Confined to
/// the virtual machine's thread; hardware reads the tables at any time.
public final class ShadowSpace {
    private final ShadowParts parts;
    private final MemoryTarget guestTarget;
    private final long guestDirectory;
    private final ArenaTable directory;
    private final ShadowSpan[] spans = new ShadowSpan[VmArena.GEOMETRY.directoryEntries()];
    private final EntrySink followed = new Followed();

    /// Layout of the guest's tables.
    private TableGeometry geometry;

    /// Number of the guest's directory entries per entry of the shadow.
    private int entriesPerSpan;

    /// Highest address that a user may access.
    private long limit;

    /// Directory of the guest, up to the entry for the limit. The memory after that entry may have
    /// any content.
    private GuestTable guest;

    private int users;
    private boolean stale;
    private boolean incomplete;
    private long returnsSeen;

    /// True if hardware may cache outdated translations. Initially true, because the directory may
    /// occupy the memory of a previous directory.
    private boolean toFlush = true;

    ShadowSpace(ShadowParts parts, MemoryTarget guestTarget, long guestDirectory, long limit) {
        this.parts = parts;
        this.guestTarget = guestTarget;
        this.guestDirectory = guestDirectory;
        this.limit = limit;
        directory = new ArenaTable(parts, this, ArenaBlock.DIRECTORY);
    }

    /// Returns the bus address of the shadow directory.
    public long directoryIova() {
        return directory.iova();
    }

    /// Returns the kind of memory that contains the shadow directory, in the GPU's view.
    public MemoryTarget target() {
        return VmArena.TARGET;
    }

    /// Allocates the memory for the directory.
    ///
    /// @return false if the arena has no space
    boolean open() {
        return directory.retain();
    }

    /// Releases all memory.
    void close() {
        unfollow();
        directory.release();
    }

    boolean shadows(MemoryTarget target, long directoryAddress) {
        return guestTarget == target && guestDirectory == directoryAddress;
    }

    void retain() {
        users++;
    }

    /// @return whether no user remains
    boolean release() {
        users--;
        return users == 0;
    }

    /// Extends the covered addresses up to a limit, if they end before it.
    ///
    /// @return whether more of the directory must now be read
    boolean extendTo(long gpuVa) {
        if (gpuVa <= limit) {
            return false;
        }
        limit = gpuVa;
        int entries = geometry.directoryIndex(limit) + 1;
        if (entries == guest.entries()) {
            return false;
        }
        guest.extendTo(entries);
        return true;
    }

    /// Called when an entry of the shadow has changed.
    void onShadowWritten() {
        toFlush = true;
        parts.counters.increment(ShadowCounter.ENTRIES_WRITTEN);
    }

    boolean isToFlush() {
        return toFlush;
    }

    /// Called when the flush of hardware's translations has been requested.
    void flushed() {
        toFlush = false;
    }

    /// Returns whether the guest's tables must be read before hardware may use the shadow.
    boolean isStale() {
        return stale;
    }

    void becomeStale() {
        stale = true;
    }

    /// Returns whether changes to the guest's directory are detected without reading the whole
    /// directory.
    boolean isTracked() {
        return parts.tracks(guestTarget);
    }

    /// Returns whether a table has no shadow for lack of space, and space has been released since.
    boolean canComplete() {
        return incomplete && returnsSeen != parts.arena.returns();
    }

    /// Starts to follow the guest's directory, with an empty shadow.
    void follow(TableGeometry guestGeometry) {
        geometry = guestGeometry;
        entriesPerSpan = guestGeometry == VmArena.GEOMETRY ? 1 : SplitSpan.HALVES;
        int entries = geometry.directoryIndex(limit) + 1;
        guest =
                new GuestTable(
                        parts, guestTarget, guestDirectory, entries, followed, parts.directoryPage);
        guest.attach();
    }

    /// Stops following the guest's directory; no entry is present afterwards.
    void unfollow() {
        guest.detach();
        for (int i = 0; i < spans.length; i++) {
            if (spans[i] != null) {
                directory.set(i, PageDirectoryEntry.EMPTY);
                for (int part = 0; part < entriesPerSpan; part++) {
                    spans[i].follow(part, PageDirectoryEntry.EMPTY);
                }
                spans[i] = null;
            }
        }
    }

    /// Reads the whole directory again, and the tables whose changes are not tracked.
    void readAll() {
        stale = false;
        incomplete = false;
        returnsSeen = parts.arena.returns();
        guest.readAll();
    }

    /// Reads again the tables whose changes are not tracked.
    void readUnseen() {
        for (ShadowSpan span : spans) {
            if (span != null) {
                span.readUnseen();
            }
        }
    }

    private static boolean namesTable(long guestEntry) {
        return PageDirectoryEntry.smallTarget(guestEntry) != null
                || PageDirectoryEntry.bigTarget(guestEntry) != null;
    }

    /// Tables to which the guest's directory points.
    private final class Followed implements EntrySink {
        @Override
        public void shadow(int guestIndex, long guestEntry) {
            int index = guestIndex / entriesPerSpan;
            ShadowSpan span = spans[index];
            if (span == null) {
                if (!namesTable(guestEntry)) {
                    return;
                }
                span = open();
            }
            if (!span.follow(guestIndex % entriesPerSpan, guestEntry)) {
                incomplete = true;
            }
            long entry = span.directoryEntry();
            directory.set(index, entry);
            // A span without tables is removed, so that invalid guest entries occupy no memory.
            spans[index] = entry == PageDirectoryEntry.EMPTY ? null : span;
        }

        private ShadowSpan open() {
            return entriesPerSpan == 1
                    ? new WholeSpan(parts, ShadowSpace.this)
                    : new SplitSpan(parts, ShadowSpace.this);
        }

        @Override
        public boolean isBlank(int firstGuestIndex, int count) {
            int last = (firstGuestIndex + count - 1) / entriesPerSpan;
            for (int i = firstGuestIndex / entriesPerSpan; i <= last; i++) {
                if (spans[i] != null) {
                    return false;
                }
            }
            return true;
        }
    }
}
