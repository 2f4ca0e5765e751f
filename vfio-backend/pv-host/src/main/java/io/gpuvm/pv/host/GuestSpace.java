package io.gpuvm.pv.host;

/// An address space of a guest. Confined to the poller.
final class GuestSpace {
    private final PageTables tables;

    /// Channels that use it.
    int channels;

    /// Whether the GPU may remember something of it: a channel has used it.
    boolean shown;

    /// Whether entries have changed since the GPU was last asked to flush.
    boolean dirty;

    /// The flush after which the GPU knows nothing of it any more, if it was destroyed.
    long lastFlush;

    GuestSpace(PageTables tables) {
        this.tables = tables;
    }

    /// Begins, for the first time or after it was ended.
    ///
    /// @return false if the arena has no room for it
    boolean open() {
        channels = 0;
        shown = false;
        dirty = false;
        return tables.open();
    }

    PageTables tables() {
        return tables;
    }
}
