package io.gpuvm.pv.host;

import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.SharedArea;

/// Tells a guest how many failures of channels and interrupts of engines there were, which no
/// answer tells, and wakes it: once for all that a turn has for it, answers included. Confined to
/// the poller.
final class GuestNews {
    private final SharedArea area;
    private final Doorbell doorbell;
    private final PvCounters counters;

    /// Modulo 2^32, as the guest sees it.
    private int count;

    private int told;

    /// @param doorbell the guest's
    GuestNews(SharedArea area, Doorbell doorbell, PvCounters counters) {
        this.area = area;
        this.doorbell = doorbell;
        this.counters = counters;
    }

    /// Something has happened.
    void add() {
        count++;
    }

    /// Tells the guest, and wakes it if it sleeps and there is something for it.
    ///
    /// @param answered whether there are answers, too
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
