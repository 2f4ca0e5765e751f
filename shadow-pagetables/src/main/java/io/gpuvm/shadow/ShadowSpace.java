package io.gpuvm.shadow;

import io.gpuvm.gf100.mmu.MemoryTarget;

/// The shadow of one guest page directory, shared by all channels that name it. Confined to the
/// VM's thread.
public final class ShadowSpace {
    private final ShadowArena arena;
    private final MemoryTarget guestTarget;
    private final long guestDirectory;
    private final long directoryOffset;
    private int users;
    private boolean stale = true;

    ShadowSpace(
            ShadowArena arena,
            MemoryTarget guestTarget,
            long guestDirectory,
            long directoryOffset) {
        this.arena = arena;
        this.guestTarget = guestTarget;
        this.guestDirectory = guestDirectory;
        this.directoryOffset = directoryOffset;
    }

    /// Bus address of the shadow directory, where hardware is to look.
    public long directoryIova() {
        return arena.iovaOf(directoryOffset);
    }

    /// Where the shadow directory lies, as the GPU names it.
    public MemoryTarget target() {
        return ShadowArena.TARGET;
    }

    boolean shadows(MemoryTarget target, long directory) {
        return guestTarget == target && guestDirectory == directory;
    }

    long directoryOffset() {
        return directoryOffset;
    }

    void retain() {
        users++;
    }

    /// @return whether nobody uses it any more
    boolean release() {
        users--;
        return users == 0;
    }

    boolean isStale() {
        return stale;
    }

    void stale(boolean now) {
        stale = now;
    }
}
