package io.gpuvm.shadow;

/// Destination of translated entries: a table that hardware reads, or the pages of a BAR.
interface ShadowTable {
    /// Adds a user.
    ///
    /// @return false if there is no space for the table
    boolean retain();

    /// Removes a user.
    void release();

    /// Sets an entry.
    void set(int entry, long word);
}
