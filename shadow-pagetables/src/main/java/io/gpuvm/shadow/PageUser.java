package io.gpuvm.shadow;

/// What reads something from guest VRAM and wants to know when that changes.
interface PageUser {
    /// Whether it still does. Never becomes true again.
    boolean isAttached();

    /// Whether it is a page table or directory, so that telling it is shadowing.
    boolean isTable();

    /// An aligned 8-byte word of its pages may have changed.
    void onChanged(long guestVram);
}
