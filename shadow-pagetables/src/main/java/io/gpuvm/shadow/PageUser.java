package io.gpuvm.shadow;

/// User of a range of guest VRAM that must be informed of changes there.
interface PageUser {
    /// Returns whether the user still follows changes. Never becomes true again.
    boolean isAttached();

    /// Returns whether the user is a page table or directory, whose notification counts as
    /// shadowing.
    boolean isTable();

    /// Called when an aligned 8-byte word of the user's pages may have changed.
    void onChanged(long guestVram);
}
