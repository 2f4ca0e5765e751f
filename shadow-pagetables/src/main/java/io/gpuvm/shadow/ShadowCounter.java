package io.gpuvm.shadow;

/// What shadowing counts, per VM.
public enum ShadowCounter {
    /// TLB flushes that the guest asked for.
    FLUSHES("flushes"),
    /// Page directories that hardware had to flush.
    HARDWARE_FLUSHES("hardwareFlushes"),
    /// Times that guest tables were read and the shadow brought up to date.
    SHADOWINGS("shadowings"),
    /// Page tables and directories read; where only changes are, each page that has some.
    TABLES_READ("tablesRead"),
    /// Entries of guest tables and directories decoded.
    ENTRIES_READ("entriesRead"),
    /// Bytes of guest tables and instance blocks compared in bulk, with zeros or with what they
    /// held before.
    BYTES_COMPARED("bytesCompared"),
    /// Entries of shadow tables and directories, and pages of BARs, changed.
    ENTRIES_WRITTEN("entriesWritten"),
    /// Guest entries that name what is not the VM's, each time one is read.
    ENTRIES_REFUSED("entriesRefused"),
    /// Tables left out because the arena's quota was used up.
    TABLES_REFUSED("tablesRefused"),
    /// Instance blocks, and words written to them, that were not accepted.
    CHANNELS_REFUSED("channelsRefused"),
    /// Time spent on shadowing, in nanoseconds.
    NANOSECONDS("nanoseconds");

    private final String key;

    ShadowCounter(String key) {
        this.key = key;
    }

    /// What summaries call it. Never changes.
    public String key() {
        return key;
    }
}
