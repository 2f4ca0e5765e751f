package io.gpuvm.pv.host;

import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.SharedArea;

/// Counter of events that no answer reports: failures of channels and interrupts of engines. Wakes
/// the guest at most once per turn, for all events and answers. Confined to the poller.
final class GuestNews {
    private final SharedArea area;
    private final Doorbell doorbell;
    private final PvCounters counters;

    /// Number of events, modulo 2^32, as the guest sees it.
    private int count;

    private int told;

    /// @param doorbell doorbell of the guest
    GuestNews(SharedArea area, Doorbell doorbell, PvCounters counters) {
        this.area = area;
        this.doorbell = doorbell;
        this.counters = counters;
    }

    /// Counts an event.
    void add() {
        count++;
    }

    /// Publishes the count, and wakes the guest if it sleeps and has new events or answers.
    ///
    /// @param answered whether answers were sent in this turn
    void tell(boolean answered) {
        boolean news = count != told;
        if (news) {
            counters.add(PvCounter.NEWS, count - told);
            told = count;
            area.news(told);
        }
        if ((answered || news) && doorbell.ring()) {
            counters.increment(PvCounter.WAKES);
        }
    }
}
