package io.gpuvm.backend.owner;

import java.util.concurrent.TimeUnit;

/// How many requests of one virtual machine the owner carries out now. It is one thread for all, so
/// nobody may keep it busy: 20,000 requests per second, and 1,024 at once after a pause, which is
/// far more than drivers make. Who asks for more waits, in its own thread.
///
/// Confined to the owner's thread.
final class RequestAllowance {
    /// What the others wait for one that has much to ask.
    static final int PER_TURN = 16;

    static final int AT_ONCE = 1024;
    static final int PER_SECOND = 20_000;

    /// What time costs in which nobody's engines work.
    private static final int STANDSTILL_PRICE = 8;

    private static final long EACH_NS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

    private long creditNs = AT_ONCE * EACH_NS;
    private long filledNs;

    /// @param nowNs at which the first second begins
    RequestAllowance(long nowNs) {
        filledNs = nowNs;
    }

    /// @return how many requests may be carried out
    int at(long nowNs) {
        creditNs = Math.min(creditNs + nowNs - filledNs, AT_ONCE * EACH_NS);
        filledNs = nowNs;
        return Math.clamp(creditNs / EACH_NS, 0, PER_TURN);
    }

    /// So many were carried out, or one that took as long as so many; also more than there was
    /// credit for.
    void spend(int requests) {
        creditNs -= requests * EACH_NS;
    }

    /// Something took the owner so long, with the engines standing still. However slow that is, it
    /// takes an eighth of the time at most.
    void spendTime(long tookNs) {
        creditNs -= tookNs * STANDSTILL_PRICE;
    }
}
