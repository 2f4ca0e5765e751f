package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.linux.agent.WaitTime;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// Virtual machine's end of a [RequestRing]: wakes the owner, and waits for room in a full ring and
/// for answers to requests. Confined to the virtual machine's thread.
///
/// A record wakes the owner only if the ring was empty; otherwise the owner is awake and finds the
/// record.
final class RequestCalls {
    /// Pause, per piece, of a virtual machine's thread after a request with several pieces of
    /// memory. The pause keeps the virtual machine below its maximum rate of requests; above that
    /// rate, the owner polls instead of sleeping.
    private static final long REST_PER_PIECE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SPINS = 100;

    private final RequestRing ring;
    private final String name;
    private final Runnable wakeOwner;
    private final long waitLimitNs;

    /// Duration of the current wait. One object serves all waits, so that a wait during a trap
    /// allocates no clock.
    private final WaitTime wait;

    /// @param name name of the virtual machine, for errors
    /// @param wakeOwner wakes the owner, from any thread
    /// @param waitLimitNs time within which the owner must remove at least one request, in
    ///   nanoseconds
    /// @param clockNs monotonic clock in nanoseconds
    RequestCalls(
            RequestRing ring,
            String name,
            Runnable wakeOwner,
            long waitLimitNs,
            LongSupplier clockNs) {
        this.ring = ring;
        this.name = name;
        this.wakeOwner = wakeOwner;
        this.waitLimitNs = waitLimitNs;
        wait = new WaitTime(clockNs);
    }

    /// Adds a request.
    ///
    /// @throws UnsettledException if the ring is full and the owner removes no request within the
    ///   limit
    void put(int kind, long a, long b, long c) {
        put(kind, a, b, c, null);
    }

    /// Adds a request and waits for its answer.
    ///
    /// @throws GpuDeviceException if the owner refuses the request
    /// @throws UnsettledException if the owner does not answer within the limit
    void ask(int kind, long a, long b, Question question) {
        try {
            put(kind, a, b, 0, question);
            awaitAnswer(question);
        } catch (RuntimeException | Error e) {
            if (question.giveUp()) {
                throw e;
            }
        }
        question.throwRefusal();
    }

    /// Pauses after a request that has mapped or unmapped several pieces of memory.
    ///
    /// @param pieces number of pieces; for a single piece there is no pause
    void rest(int pieces) {
        if (pieces > 1) {
            LockSupport.parkNanos(pieces * REST_PER_PIECE_NS);
        }
    }

    private void put(int kind, long a, long b, long c, Question question) {
        if (!ring.hasRoom()) {
            awaitRoom();
        }
        if (ring.put(kind, a, b, c, question)) {
            wakeOwner.run();
        }
    }

    private void awaitRoom() {
        Patience patience = new Patience("no room for a request");
        while (!ring.hasRoom()) {
            patience.pause();
        }
    }

    private void awaitAnswer(Question question) {
        Patience patience = new Patience("no answer");
        while (!question.isAnswered()) {
            patience.pause();
        }
    }

    /// One wait of the virtual machine's thread. It fails only if the owner removes no request
    /// within the limit, regardless of how full the ring or how busy the host is. A guest continues
    /// after a failed request and must then not access pages that the owner still moves, so time in
    /// which the host did not run this process does not count.
    private final class Patience {
        private final String what;
        private long taken = ring.taken();
        private int turns;

        Patience(String what) {
            this.what = what;
            wait.restart();
        }

        /// Spins or sleeps once.
        ///
        /// @throws UnsettledException if the owner has removed no request within the limit
        void pause() {
            if (turns < SPINS) {
                turns++;
                Thread.onSpinWait();
                return;
            }
            if (taken != ring.taken()) {
                taken = ring.taken();
                wait.restart();
            }
            if (wait.elapsedNs() > waitLimitNs) {
                throw new UnsettledException(
                        "%s: %s: the GPU's owner has removed no request for %d ms"
                                .formatted(name, what, TimeUnit.NANOSECONDS.toMillis(waitLimitNs)));
            }
            LockSupport.parkNanos(NAP_NS);
        }
    }
}
