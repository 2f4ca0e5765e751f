package io.gpuvm.port;

import io.gpuvm.gf100.device.GpuDeviceException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// The virtual machine's end of a [RequestRing]: wakes the owner, waits for room where the ring is
/// full, and for the answer where a request has one. Confined to the virtual machine's thread.
///
/// The owner is woken for the first record only: it comes back by itself for those that it has not
/// taken yet.
final class RequestCalls {
    /// Time that a virtual machine's thread rests for each piece of memory of a request that has
    /// several: so the owner does not find the virtual machine beyond its allowance, for which the
    /// owner would look again and again instead of sleeping.
    private static final long REST_PER_PIECE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long NAP_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final int SPINS = 100;

    private final RequestRing ring;
    private final String name;
    private final Runnable wakeOwner;
    private final long waitLimitNs;

    /// @param name of the virtual machine, for errors
    /// @param wakeOwner makes the owner look, from any thread
    /// @param waitLimitNs time in which the owner must take at least one request out
    RequestCalls(RequestRing ring, String name, Runnable wakeOwner, long waitLimitNs) {
        this.ring = ring;
        this.name = name;
        this.wakeOwner = wakeOwner;
        this.waitLimitNs = waitLimitNs;
    }

    /// Puts a request in.
    ///
    /// @throws GpuDeviceException if the ring is full and the owner does not make room
    void put(int kind, long a, long b, long c) {
        put(kind, a, b, c, null);
    }

    /// Puts a request in and waits for its answer.
    ///
    /// @throws GpuDeviceException if the answer is a refusal, or does not come
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

    /// Rests after a request that had several pieces of memory mapped or taken away.
    ///
    /// @param pieces number of them; after a single one the thread goes on at once
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
        Patience patience = new Patience("room for requests");
        while (!ring.hasRoom()) {
            patience.pause();
        }
    }

    private void awaitAnswer(Question question) {
        Patience patience = new Patience("the GPU's owner");
        while (!question.isAnswered()) {
            patience.pause();
        }
    }

    /// One wait. It lasts however much lies in the ring, and however busy the host is: the owner
    /// lives as long as it takes requests out.
    private final class Patience {
        private final String what;
        private long sinceNs = System.nanoTime();
        private long taken = ring.taken();
        private int turns;

        Patience(String what) {
            this.what = what;
        }

        /// Lets a moment pass.
        ///
        /// @throws GpuDeviceException if the owner has taken nothing out for too long
        void pause() {
            if (turns < SPINS) {
                turns++;
                Thread.onSpinWait();
                return;
            }
            if (taken != ring.taken()) {
                taken = ring.taken();
                sinceNs = System.nanoTime();
            }
            if (System.nanoTime() - sinceNs > waitLimitNs) {
                throw new GpuDeviceException(
                        "%s: waited %d ms for %s"
                                .formatted(name, TimeUnit.NANOSECONDS.toMillis(waitLimitNs), what));
            }
            LockSupport.parkNanos(NAP_NS);
        }
    }
}
