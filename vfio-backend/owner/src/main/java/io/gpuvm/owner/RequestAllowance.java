package io.gpuvm.owner;

import java.util.concurrent.TimeUnit;

/// How many requests of one virtual machine the owner carries out now. It is one thread for all, so
/// nobody may keep it busy: so many requests per second, and 1,024 at once after a pause. Who asks
/// for more waits, in its own thread.
///
/// Confined to the owner's thread.
final class RequestAllowance {
    /// What the others wait for one that has much to ask.
    static final int PER_TURN = 16;

    static final int AT_ONCE = 1024;

    /// What time costs in which nobody's engines work.
    private static final int STANDSTILL_PRICE = 8;

    private final long eachNs;
    private long creditNs;
    private long filledNs;

    /// @param perSecond requests that are carried out at most
    /// @param nowNs at which the first second begins
    RequestAllowance(int perSecond, long nowNs) {
        eachNs = TimeUnit.SECONDS.toNanos(1) / perSecond;
        creditNs = AT_ONCE * eachNs;
        filledNs = nowNs;
    }

    /// @return how many requests may be carried out
    int at(long nowNs) {
        creditNs = Math.min(creditNs + nowNs - filledNs, AT_ONCE * eachNs);
        filledNs = nowNs;
        return Math.clamp(creditNs / eachNs, 0, PER_TURN);
    }

    /// So many were carried out, or one that took as long as so many; also more than there was
    /// credit for.
    void spend(int requests) {
        creditNs -= requests * eachNs;
    }

    /// Something took the owner so long, with the engines standing still. However slow that is, it
    /// takes an eighth of the time at most.
    void spendTime(long tookNs) {
        creditNs -= tookNs * STANDSTILL_PRICE;
    }
}
