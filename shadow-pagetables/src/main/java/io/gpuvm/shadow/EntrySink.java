package io.gpuvm.shadow;

/// Where the entries of a guest's page table go in the shadow.
interface EntrySink {
    /// Brings an entry of the guest's into the shadow.
    void shadow(int entry, long guestEntry);

    /// Whether nothing of `count` entries, a page full at most, is in the shadow.
    boolean isBlank(int first, int count);
}
