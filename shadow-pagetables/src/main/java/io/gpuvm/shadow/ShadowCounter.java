package io.gpuvm.shadow;

/// What shadowing counts, per VM.
public enum ShadowCounter {
    FLUSHES("TLB flushes that the guest asked for"),
    HARDWARE_FLUSHES("Page directories that hardware had to flush"),
    SHADOWINGS("Times that guest tables were read and the shadow brought up to date"),
    TABLES_READ("Page tables and directories read, in whole or in part"),
    ENTRIES_READ("Entries of guest tables and directories decoded"),
    BYTES_COMPARED("Bytes of guest tables skipped after a comparison in bulk"),
    ENTRIES_WRITTEN("Entries of shadow tables and directories changed"),
    ENTRIES_REFUSED("Guest entries that name what is not the VM's, each time one is read"),
    TABLES_REFUSED("Tables left out because the arena's quota was used up"),
    CHANNELS_REFUSED("Instance blocks, and words written to them, that were not accepted"),
    NANOSECONDS("Time spent on shadowing, in nanoseconds");

    private final String meaning;

    ShadowCounter(String meaning) {
        this.meaning = meaning;
    }

    /// One sentence for humans.
    public String meaning() {
        return meaning;
    }
}
