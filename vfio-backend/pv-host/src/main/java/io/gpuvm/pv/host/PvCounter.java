package io.gpuvm.pv.host;

/// What is counted of a paravirtual virtual machine, over all guests that connected.
public enum PvCounter {
    /// Commands that were carried out, or refused.
    COMMANDS("commands"),
    /// Commands that did not end well.
    FAILED_COMMANDS("failedCommands"),
    /// Submissions to channels.
    SUBMISSIONS("submissions"),
    /// Entries of page tables that were written or cleared, or looked at for that.
    PAGE_TABLE_WORK("pageTableWork"),
    /// Times that the GPU's owner was asked to flush.
    FLUSHES("flushes"),
    /// Times that the guest slept and was woken.
    WAKES("wakes"),
    /// Failures of channels, and interrupts of engines, that the guest was told of.
    NEWS("news"),
    /// Guests that were dropped because of an error of ours.
    DROPPED("dropped"),
    /// Clients that were refused.
    REFUSED_CLIENTS("refusedClients"),
    /// Guests that connected.
    CONNECTIONS("connections");

    private final String key;

    PvCounter(String key) {
        this.key = key;
    }

    /// Its name in summaries.
    public String key() {
        return key;
    }
}
