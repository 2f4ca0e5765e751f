package io.gpuvm.pv.host;

/// An address space of a guest. Confined to the poller.
final class GuestSpace {
    private final PageTables tables;

    /// Number of channels that use the address space.
    int channels;

    /// True if the GPU may hold state of the address space: a channel has used it.
    boolean shown;

    /// True if entries have changed since the last request to flush.
    boolean dirty;

    /// Number of the flush after which the GPU holds no state of a destroyed address space.
    long lastFlush;

    GuestSpace(PageTables tables) {
        this.tables = tables;
    }

    /// Allocates the directory, on first use or after the address space has been closed.
    ///
    /// @param retired receives tables that leave the directory
    /// @return false if the arena has no room for the directory
    boolean open(RetiredTables retired) {
        channels = 0;
        shown = false;
        dirty = false;
        return tables.open(retired);
    }

    PageTables tables() {
        return tables;
    }
}
