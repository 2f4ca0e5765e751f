package io.gpuvm.shadow;

/// Counters of shadowing, per virtual machine.
public enum ShadowCounter {
    /// TLB flushes that the guest requested.
    FLUSHES("flushes"),
    /// Requests that hardware flush the translations of a page directory.
    HARDWARE_FLUSHES("hardwareFlushes"),
    /// Updates of the shadow that read guest tables.
    SHADOWINGS("shadowings"),
    /// Page tables and directories read; with incremental reads, also each page that contains
    /// changes.
    TABLES_READ("tablesRead"),
    /// Entries of guest tables and directories decoded.
    ENTRIES_READ("entriesRead"),
    /// Bytes of guest tables and instance blocks compared in bulk, with zeros or with their
    /// previous content.
    BYTES_COMPARED("bytesCompared"),
    /// Changed entries of shadow tables and directories, and changed pages of BARs.
    ENTRIES_WRITTEN("entriesWritten"),
    /// Guest entries whose page or table is unaligned or outside the virtual machine's shares, once
    /// per read.
    ENTRIES_REFUSED("entriesRefused"),
    /// Tables without a shadow, because the arena's quota was exhausted.
    TABLES_REFUSED("tablesRefused"),
    /// Refused instance blocks, and refused words written to them.
    CHANNELS_REFUSED("channelsRefused"),
    /// Time spent on shadowing, in nanoseconds.
    NANOSECONDS("nanoseconds");

    private final String key;

    ShadowCounter(String key) {
        this.key = key;
    }

    /// Returns the name of the counter in summaries. Never changes.
    public String key() {
        return key;
    }
}
