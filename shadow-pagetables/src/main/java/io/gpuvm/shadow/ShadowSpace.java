package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.mmu.PageDirectoryEntry;
import io.gpuvm.gf100.mmu.TableGeometry;

/// The shadow of one guest page directory, shared by all channels that name it. Confined to the
/// VM's thread; hardware reads the tables at any time.
public final class ShadowSpace {
    private final ShadowParts parts;
    private final MemoryTarget guestTarget;
    private final long guestDirectory;
    private final ShadowTable directory;
    private final ShadowSpan[] spans = new ShadowSpan[ShadowArena.GEOMETRY.directoryEntries()];
    private final DirectoryUser user = new DirectoryUser();

    /// How the guest lays out its tables, and how many of its directory entries make one of the
    /// shadow's.
    private TableGeometry geometry;

    private int entriesPerSpan;

    /// The last address that any user may name, and how many directory entries lead up to it. What
    /// lies behind those in memory may be anything.
    private long limit;

    private int guestEntries;

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
        directory = new ShadowTable(parts, this, ArenaBlock.DIRECTORY);
    }

    /// Bus address of the shadow directory, where hardware is to look.
    public long directoryIova() {
        return directory.iova();
    }

    /// Where the shadow directory lies, as the GPU names it.
    public MemoryTarget target() {
        return ShadowArena.TARGET;
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
        int before = guestEntries;
        guestEntries = geometry.directoryIndex(limit) + 1;
        return guestEntries > before;
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

    /// Whether each write to the guest's directory is seen.
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
        entriesPerSpan = guestGeometry == ShadowArena.GEOMETRY ? 1 : SplitSpan.HALVES;
        guestEntries = geometry.directoryIndex(limit) + 1;
        user.attached = true;
        if (parts.tracks(guestTarget)) {
            parts.tracked.attach(user, guestDirectory, geometry.directoryBytes());
        }
    }

    /// Takes back [#follow]: nothing is present.
    void unfollow() {
        user.attached = false;
        if (parts.tracks(guestTarget)) {
            parts.tracked.detach(user, guestDirectory, geometry.directoryBytes());
        }
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

    /// Reads the directory again, whole, and tables unless writes to them are seen. With the
    /// incremental strategy, pages that are blank on both sides are not gone through entry by
    /// entry.
    void readAll() {
        stale = false;
        incomplete = false;
        returnsSeen = parts.arena.returns();
        parts.counters.increment(ShadowCounter.TABLES_READ);
        long[] page = parts.directoryPage;
        for (int first = 0; first < guestEntries; first += page.length) {
            int count = Math.min(page.length, guestEntries - first);
            parts.reader.page(guestTarget, guestDirectory + (long) first * Long.BYTES, page);
            if (parts.isIncremental()
                    && GuestReader.isBlank(page, 0, count)
                    && isBlank(first, count)) {
                parts.counters.add(ShadowCounter.BYTES_COMPARED, (long) count * Long.BYTES);
                continue;
            }
            for (int i = 0; i < count; i++) {
                follow(first + i, page[i]);
            }
            parts.counters.add(ShadowCounter.ENTRIES_READ, count);
        }
    }

    /// Reads those tables again in which writes go unseen.
    void readUnseen() {
        for (ShadowSpan span : spans) {
            if (span != null) {
                span.readUnseen();
            }
        }
    }

    private void follow(int guestIndex, long guestEntry) {
        int index = guestIndex / entriesPerSpan;
        ShadowSpan span = spans[index];
        if (span == null) {
            if (!namesTable(guestEntry)) {
                return;
            }
            span = entriesPerSpan == 1 ? new WholeSpan(parts, this) : new SplitSpan(parts, this);
        }
        if (!span.follow(guestIndex % entriesPerSpan, guestEntry)) {
            incomplete = true;
        }
        long entry = span.directoryEntry();
        directory.set(index, entry);
        // A span without tables is not kept, so that a guest's nonsense takes no memory.
        spans[index] = entry == PageDirectoryEntry.EMPTY ? null : span;
    }

    private static boolean namesTable(long guestEntry) {
        return PageDirectoryEntry.smallTarget(guestEntry) != null
                || PageDirectoryEntry.bigTarget(guestEntry) != null;
    }

    private boolean isBlank(int firstGuestIndex, int count) {
        int last = (firstGuestIndex + count - 1) / entriesPerSpan;
        for (int i = firstGuestIndex / entriesPerSpan; i <= last; i++) {
            if (spans[i] != null) {
                return false;
            }
        }
        return true;
    }

    /// Follows writes to the guest's directory.
    private final class DirectoryUser implements PageUser {
        boolean attached;

        @Override
        public boolean isAttached() {
            return attached;
        }

        @Override
        public boolean isTable() {
            return true;
        }

        @Override
        public void onChanged(long guestVram) {
            int index = (int) ((guestVram - guestDirectory) / Long.BYTES);
            if (index < guestEntries) {
                parts.counters.increment(ShadowCounter.ENTRIES_READ);
                follow(index, parts.reader.word(guestTarget, guestVram));
            }
        }
    }
}
