package io.gpuvm.owner;

import java.util.concurrent.TimeUnit;

/// Number of one virtual machine's requests that the owner may execute now. One thread serves all
/// guests, so the rate of each guest is limited to a number of requests per second, with a burst of
/// 1,024 after a pause. A guest with more requests waits in its own thread.
///
/// Confined to the owner's thread.
final class RequestAllowance {
    /// Maximum number of requests per turn of a guest, for which the other guests wait.
    static final int PER_TURN = 16;

    static final int AT_ONCE = 1024;

    /// Factor by which time is charged while the engines are stopped for all guests.
    private static final int STANDSTILL_PRICE = 8;

    private final long eachNs;
    private long creditNs;
    private long filledNs;

    /// @param perSecond maximum number of requests per second
    /// @param nowNs start of the first second
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

    /// Charges time in which the owner stopped the engines. The factor limits that time to an
    /// eighth of all time.
    void spendTime(long tookNs) {
        creditNs -= tookNs * STANDSTILL_PRICE;
    }
}
