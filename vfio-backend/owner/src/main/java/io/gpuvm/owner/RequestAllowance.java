package io.gpuvm.owner;

import java.util.concurrent.TimeUnit;

/// Rate limit for the requests of one virtual machine: a number of requests per second, and a burst
/// of 1,024 requests after a pause. The limit exists because one thread, the owner's, serves all
/// guests. A guest that exceeds its limit waits in its own thread.
///
/// Confined to the owner's thread.
final class RequestAllowance {
    /// Maximum number of requests of one virtual machine that are executed in one turn, before
    /// other guests' requests.
    static final int PER_TURN = 16;

    static final int AT_ONCE = 1024;

    /// Cost factor of time during which the engines are stopped for all guests.
    private static final int STANDSTILL_PRICE = 8;

    private final long eachNs;
    private long creditNs;
    private long filledNs;

    /// @param perSecond maximum number of requests per second
    /// @param nowNs current time of the clock that later calls use
    RequestAllowance(int perSecond, long nowNs) {
        eachNs = TimeUnit.SECONDS.toNanos(1) / perSecond;
        creditNs = AT_ONCE * eachNs;
        filledNs = nowNs;
    }

    /// @return number of requests that may be executed now
    int at(long nowNs) {
        creditNs = Math.min(creditNs + nowNs - filledNs, AT_ONCE * eachNs);
        filledNs = nowNs;
        return Math.clamp(creditNs / eachNs, 0, PER_TURN);
    }

    /// Charges executed requests. A long request is charged as several. The charge may exceed the
    /// credit.
    void spend(int requests) {
        creditNs -= requests * eachNs;
    }

    /// Charges time in which the owner stopped the engines. The factor limits this time to one
    /// eighth of all time.
    void spendTime(long tookNs) {
        creditNs -= tookNs * STANDSTILL_PRICE;
    }
}
