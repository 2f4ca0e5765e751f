package io.gpuvm.shadow;

/// What shadowing counts, per VM.
public enum ShadowCounter {
    FLUSHES("flushes", "TLB flushes that the guest asked for"),
    HARDWARE_FLUSHES("hardwareFlushes", "Page directories that hardware had to flush"),
    SHADOWINGS("shadowings", "Times that guest tables were read and the shadow brought up to date"),
    TABLES_READ(
            "tablesRead",
            "Page tables and directories read; where only changes are, each page that has some"),
    ENTRIES_READ("entriesRead", "Entries of guest tables and directories decoded"),
    BYTES_COMPARED(
            "bytesCompared",
            "Bytes of guest tables and instance blocks compared in bulk, with zeros or with what they"
                    + " held before"),
    ENTRIES_WRITTEN(
            "entriesWritten",
            "Entries of shadow tables and directories, and pages of BARs, changed"),
    ENTRIES_REFUSED(
            "entriesRefused",
            "Guest entries that name what is not the VM's, each time one is read"),
    TABLES_REFUSED("tablesRefused", "Tables left out because the arena's quota was used up"),
    CHANNELS_REFUSED(
            "channelsRefused",
            "Instance blocks, and words written to them, that were not accepted"),
    NANOSECONDS("nanoseconds", "Time spent on shadowing, in nanoseconds");

    private final String key;
    private final String meaning;

    ShadowCounter(String key, String meaning) {
        this.key = key;
        this.meaning = meaning;
    }

    /// What summaries call it. Never changes.
    public String key() {
        return key;
    }

    /// One sentence for humans.
    public String meaning() {
        return meaning;
    }
}
