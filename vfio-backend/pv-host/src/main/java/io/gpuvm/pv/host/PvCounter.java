package io.gpuvm.pv.host;

import io.gpuvm.counters.CounterType;

/// Counters of a paravirtual virtual machine, over all guests that have connected.
public enum PvCounter {
    /// Commands that were executed or refused.
    COMMANDS("commands", CounterType.RING_ENTRIES),
    /// Commands that failed.
    FAILED_COMMANDS("failedCommands", CounterType.RING_FAILURES),
    /// Submissions to channels.
    SUBMISSIONS("submissions", CounterType.SUBMISSIONS),
    /// Page-table entries written, cleared, or examined for clearing.
    PAGE_TABLE_WORK("pageTableWork", CounterType.PAGE_TABLE_WORK),
    /// Flush requests to the GPU's owner.
    FLUSHES("flushes", CounterType.FLUSHES),
    /// Wake-ups of the sleeping guest.
    WAKES("wakes", CounterType.WAKES),
    /// Failures of channels, and interrupts of engines, that were reported to the guest or its
    /// front end.
    NEWS("news", CounterType.NEWS),
    /// Guests that were dropped because of an internal error.
    DROPPED("dropped", CounterType.DROPPED),
    /// Guests that were dropped because they violated the protocol of their front end.
    VIOLATIONS("violations", CounterType.VIOLATIONS),
    /// Clients that were refused.
    REFUSED_CLIENTS("refusedClients", CounterType.REFUSED_CLIENTS),
    /// Guests that connected.
    CONNECTIONS("connections", CounterType.CONNECTIONS),
    /// Sessions that have a guest now.
    SESSIONS("sessions", CounterType.SESSIONS);

    private final String key;
    private final CounterType type;

    PvCounter(String key, CounterType type) {
        this.key = key;
        this.type = type;
    }

    /// Returns the name of the counter in summaries.
    public String key() {
        return key;
    }

    /// Returns the kind of the counter in the backend's file of counters.
    CounterType type() {
        return type;
    }
}
