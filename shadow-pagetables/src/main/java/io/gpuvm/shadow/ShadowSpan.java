package io.gpuvm.shadow;

/// Entry of a shadow directory, with the tables to which it points: the translation of one or two
/// entries of a guest's directory.
abstract sealed class ShadowSpan permits WholeSpan, SplitSpan {
    /// Follows an entry of the guest's directory: reads new tables, and reads again the tables
    /// whose changes are not tracked.
    ///
    /// @param part index of the guest's entry within this span
    /// @return false if a table has no shadow for lack of space
    abstract boolean follow(int part, long guestEntry);

    /// Reads again the tables whose changes are not tracked.
    abstract void readUnseen();

    /// Returns the entry for the shadow directory; empty if no table of the guest is followed.
    abstract long directoryEntry();
}
