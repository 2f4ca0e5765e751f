package io.gpuvm.shadow;

/// Receiver of the entries of a guest's page table or directory.
interface EntrySink {
    /// Translates an entry of the guest into the shadow.
    void shadow(int entry, long guestEntry);

    /// Translates the first `count` elements of an array into the shadow.
    ///
    /// @param first number of the first entry
    default void shadowAll(int first, long[] guestEntries, int count) {
        for (int i = 0; i < count; i++) {
            shadow(first + i, guestEntries[i]);
        }
    }

    /// Returns whether the shadow has no content for `count` entries, which fill at most one page.
    boolean isBlank(int first, int count);
}
