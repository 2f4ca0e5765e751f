package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.TableGeometry;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;

/// The shadow of one guest page directory, shared by all channels that name it. Confined to the
/// VM's thread; hardware reads the tables at any time.
public final class ShadowSpace {
    private final ShadowParts parts;
    private final MemoryTarget guestTarget;
    private final long guestDirectory;
    private final ArenaTable directory;
    private final ShadowSpan[] spans = new ShadowSpan[VmArena.GEOMETRY.directoryEntries()];
    private final EntrySink followed = new Followed();

    /// How the guest lays out its tables, and how many of its directory entries make one of the
    /// shadow's.
    private TableGeometry geometry;

    private int entriesPerSpan;

    /// The last address that any user may name.
    private long limit;

    /// The guest's directory, as far as entries lead up to the limit. What lies behind those in
    /// memory may be anything.
    private GuestTable guest;

    private int users;
    private boolean stale;
    private boolean incomplete;
    private long returnsSeen;

    /// Hardware may remember translations that are not those of now. True from the start: the
    /// directory may lie where another one did.
    private boolean toFlush = true;

    ShadowSpace(ShadowParts parts, MemoryTarget guestTarget, long guestDirectory, long limit) {
        this.parts = parts;
        this.guestTarget = guestTarget;
        this.guestDirectory = guestDirectory;
        this.limit = limit;
        directory = new ArenaTable(parts, this, ArenaBlock.DIRECTORY);
    }

    /// Bus address of the shadow directory, where hardware is to look.
    public long directoryIova() {
        return directory.iova();
    }

    /// Where the shadow directory lies, as the GPU names it.
    public MemoryTarget target() {
        return VmArena.TARGET;
    }

    /// Takes the room for the directory.
    ///
    /// @return false if there is none
    boolean open() {
        return directory.retain();
    }

    /// Gives back all room.
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

    /// @return whether nobody uses it any more
    boolean release() {
        users--;
        return users == 0;
    }

    /// Covers addresses up to a limit, at least.
    ///
    /// @return whether there is more of the directory to read now
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

    /// Something in the shadow has changed.
    void onShadowWritten() {
        toFlush = true;
        parts.counters.increment(ShadowCounter.ENTRIES_WRITTEN);
    }

    boolean isToFlush() {
        return toFlush;
    }

    /// Hardware is being told to forget.
    void flushed() {
        toFlush = false;
    }

    /// Whether the guest's tables must be read before hardware may use the shadow.
    boolean isStale() {
        return stale;
    }

    void becomeStale() {
        stale = true;
    }

    /// Whether changes of the guest's directory are found without reading all of it.
    boolean isTracked() {
        return parts.tracks(guestTarget);
    }

    /// Whether something was left out for which there may be room now.
    boolean canComplete() {
        return incomplete && returnsSeen != parts.arena.returns();
    }

    /// Starts to follow the guest's directory, from nothing.
    void follow(TableGeometry guestGeometry) {
        geometry = guestGeometry;
        entriesPerSpan = guestGeometry == VmArena.GEOMETRY ? 1 : SplitSpan.HALVES;
        int entries = geometry.directoryIndex(limit) + 1;
        guest =
                new GuestTable(
                        parts, guestTarget, guestDirectory, entries, followed, parts.directoryPage);
        guest.attach();
    }

    /// Takes back [#follow]: nothing is present.
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

    /// Reads the directory again, whole, and tables unless their changes are found.
    void readAll() {
        stale = false;
        incomplete = false;
        returnsSeen = parts.arena.returns();
        guest.readAll();
    }

    /// Reads those tables again in which changes are not found.
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

    /// What the guest's directory leads to.
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
            // A span without tables is not kept, so that a guest's nonsense takes no memory.
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
