package io.gpuvm.cuda.service.session;

import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.FailedCall;
import io.gpuvm.cuda.protocol.RetiredWord;
import io.gpuvm.pv.protocol.WireType;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import java.lang.foreign.MemorySegment;

/// Completions of a session's calls, published and pending.
///
/// A call is accepted only if an entry of the completion ring is free for it and for each
/// unanswered call, so that no completion is lost. Confined to the poller; no method allocates.
final class CallCompletions {
    /// Offset of the third result, the first of the results that no call has.
    private static final int UNUSED_RESULTS = CudaEntry.RESULTS + 2 * Long.BYTES;

    private final MemorySegment area;
    private final RingProducer ring;

    /// Calls that are not in use; the first [#freeCalls] elements.
    private final PendingCall[] free;

    private int freeCalls;

    /// Calls whose completions are not published; the first [#completedCalls] elements.
    private final PendingCall[] completed;

    private int completedCalls;

    /// Index of the call that is published first; those before it follow at the end.
    private int first;

    /// Number of free entries of the ring when it was read last, less those used since then.
    private int room;

    /// Failed call without reply that the next completion describes.
    private long failed = FailedCall.NONE;

    private long retired;

    /// Number of calls that have failed since the last [#takeFailures()].
    private int failures;

    /// @param area area of the session, whose completion ring this object writes
    CallCompletions(SharedArea area) {
        this.area = area.memory();
        ring = area.completionProducer();
        int most = area.layout().completionEntries();
        free = new PendingCall[most];
        completed = new PendingCall[most];
        for (int i = 0; i < most; i++) {
            free[i] = new PendingCall(this);
        }
        freeCalls = most;
    }

    /// Returns whether another call may be accepted.
    boolean canTake() {
        int unanswered = free.length - freeCalls;
        if (room <= unanswered) {
            room = ring.room();
        }
        return room > unanswered;
    }

    /// Begins a call that is answered. Called after [#canTake()].
    PendingCall begin(long number) {
        freeCalls--;
        PendingCall call = free[freeCalls];
        call.begin(number);
        return call;
    }

    /// Adds a call that is complete.
    void completed(PendingCall call) {
        completed[completedCalls] = call;
        completedCalls++;
        failures += RefusalLog.isFailure(call.status()) ? 1 : 0;
    }

    /// Makes the calls that are completed from now on precede the others in the next [#publish].
    void precede() {
        first = completedCalls;
    }

    /// Records that a call without reply has failed. The first of several failures is reported.
    void failed(long number, int status) {
        failures++;
        if (failed == FailedCall.NONE) {
            failed = FailedCall.of(number, status);
        }
    }

    /// Returns the number of calls that have failed since the last call of this method.
    int takeFailures() {
        int taken = failures;
        failures = 0;
        return taken;
    }

    /// Publishes the number of the oldest call that may use the data area, then all completions.
    ///
    /// @param oldest number of the oldest call that may use the data area
    /// @return whether the client finds anything new
    boolean publish(long oldest) {
        boolean isNew = completedCalls > 0 || oldest != retired;
        if (oldest != retired) {
            retired = oldest;
            RetiredWord.set(area, retired);
        }
        for (int i = 0; i < completedCalls; i++) {
            PendingCall call = completed[(first + i) % completedCalls];
            publish(call);
            free[freeCalls] = call;
            freeCalls++;
        }
        completedCalls = 0;
        first = 0;
        return isNew;
    }

    private void publish(PendingCall call) {
        long at = ring.claim();
        if (at == RingProducer.FULL) {
            throw new IllegalStateException(
                    "completion ring is full: no entry reserved for the completion of a call");
        }
        MemorySegment memory = ring.memory();
        memory.set(WireType.U64, at + CudaEntry.NUMBER, call.number());
        memory.set(WireType.U64, at + CudaEntry.FAILED, failed);
        memory.set(WireType.U64, at + CudaEntry.RESULTS, call.first());
        memory.set(WireType.U64, at + CudaEntry.RESULTS + Long.BYTES, call.second());
        for (int word = UNUSED_RESULTS; word < CudaEntry.BYTES; word += Long.BYTES) {
            memory.set(WireType.U64, at + word, 0);
        }
        failed = FailedCall.NONE;
        ring.publish(call.status());
        room--;
    }
}
