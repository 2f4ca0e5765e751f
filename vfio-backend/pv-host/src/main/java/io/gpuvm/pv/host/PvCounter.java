package io.gpuvm.pv.host;

/// Counters of a paravirtual virtual machine, over all guests that have connected.
public enum PvCounter {
    /// Commands that were executed or refused.
    COMMANDS("commands"),
    /// Commands that failed.
    FAILED_COMMANDS("failedCommands"),
    /// Submissions to channels.
    SUBMISSIONS("submissions"),
    /// Page-table entries written, cleared, or examined for clearing.
    PAGE_TABLE_WORK("pageTableWork"),
    /// Flush requests to the GPU's owner.
    FLUSHES("flushes"),
    /// Wake-ups of the sleeping guest.
    WAKES("wakes"),
    /// Failures of channels, and interrupts of engines, that were reported to the guest or its
    /// front end.
    NEWS("news"),
    /// Guests that were dropped because of an internal error.
    DROPPED("dropped"),
    /// Guests that were dropped because they violated the protocol of their front end.
    VIOLATIONS("violations"),
    /// Clients that were refused.
    REFUSED_CLIENTS("refusedClients"),
    /// Guests that connected.
    CONNECTIONS("connections"),
    /// Sessions that have a guest now.
    SESSIONS("sessions");

    private final String key;

    PvCounter(String key) {
        this.key = key;
    }

    /// Returns the name of the counter in summaries.
    public String key() {
        return key;
    }
}
