package io.gpuvm.shadow;

/// Where translated entries go: a table that hardware follows, or the pages of a BAR.
interface ShadowTable {
    /// Adds a user.
    ///
    /// @return false if there is no room for it
    boolean retain();

    /// Takes back [#retain].
    void release();

    /// Makes an entry hold a word.
    void set(int entry, long word);
}
