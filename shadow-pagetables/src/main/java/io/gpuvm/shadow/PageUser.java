package io.gpuvm.shadow;

/// User of a range of guest VRAM that is notified of changes in the range.
interface PageUser {
    /// Returns whether the user still needs notifications. Once false, remains false.
    boolean isAttached();

    /// Returns whether the user is a page table or directory, whose notification counts as
    /// shadowing.
    boolean isTable();

    /// Called when an aligned 8-byte word of the user's pages may have changed.
    void onChanged(long guestVram);
}
