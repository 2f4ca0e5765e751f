package io.gpuvm.shadow;

/// Where the entries of a guest's page table or directory go.
interface EntrySink {
    /// Brings an entry of the guest's into the shadow.
    void shadow(int entry, long guestEntry);

    /// Brings the first `count` of some entries into the shadow.
    ///
    /// @param first number of the first
    default void shadowAll(int first, long[] guestEntries, int count) {
        for (int i = 0; i < count; i++) {
            shadow(first + i, guestEntries[i]);
        }
    }

    /// Whether nothing of `count` entries, a page full at most, is in the shadow.
    boolean isBlank(int first, int count);
}
