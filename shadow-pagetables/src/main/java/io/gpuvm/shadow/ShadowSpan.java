package io.gpuvm.shadow;

/// One entry of a shadow directory, with the tables that it leads to: what one or two entries of a
/// guest's directory translate.
abstract sealed class ShadowSpan permits WholeSpan, SplitSpan {
    /// Follows an entry of the guest's directory: tables that it newly names are read, those that
    /// it still names are read if that is how changes are found.
    ///
    /// @param part which one of the entries that this span stands for
    /// @return false if a table has to be left out, for lack of room
    abstract boolean follow(int part, long guestEntry);

    /// Reads those tables again in which changes are not found.
    abstract void readUnseen();

    /// The entry for the shadow directory; empty if no table of the guest's is followed.
    abstract long directoryEntry();
}
