package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/// Calls that read or write the data area, in the order of the calls. Ended uses are used again, so
/// that a call allocates none.
final class AreaUses {
    /// Use by one call. The call refers to it until the use has ended or its end is determined.
    static final class Use {
        private long call;

        /// Stream of the operation; null until the operation is submitted.
        private GpuStream stream;

        /// Point of the stream at which the GPU has completed the operation.
        private long end;

        /// Condition of the end of a use without the GPU; null if there is none.
        private BooleanSupplier condition;

        private boolean ended;

        /// Completed when the use has ended; null if nothing is.
        private CallReply reply;

        private Use begin(long numberOfCall) {
            call = numberOfCall;
            stream = null;
            condition = null;
            ended = false;
            reply = null;
            return this;
        }

        /// Ends the use when the GPU has completed all operations that are submitted to a stream.
        void endsAfter(GpuStream submitted) {
            stream = submitted;
            end = submitted.position();
        }

        /// Ends the use when a condition is met, which may concern another thread.
        void endsWhen(BooleanSupplier isFree) {
            condition = isFree;
        }

        /// Ends the use of an operation that is not submitted.
        void end() {
            ended = true;
        }

        private boolean isEnded() {
            if (!ended && condition != null) {
                ended = condition.getAsBoolean();
            }
            if (!ended && stream != null) {
                try {
                    ended = stream.isDone(end);
                } catch (GpuException _) {
                    // The channels of a failed or closed context no longer run.
                    ended = true;
                }
            }
            return ended;
        }
    }

    /// Number of uses from which those that have ended are removed, wherever they are.
    private static final int SWEEP = 256;

    private final Deque<Use> uses = new ArrayDeque<>();
    private final Deque<Use> free = new ArrayDeque<>();

    /// Uses with a reply that has not been completed, in the order of the calls.
    private final Deque<Use> answered = new ArrayDeque<>();

    /// Number of uses at which the next sweep takes place.
    private int sweepAt = SWEEP;

    /// Begins a use.
    ///
    /// @param call number of the call, greater than that of earlier uses
    Use begin(long call) {
        Use next = free.isEmpty() ? new Use() : free.removeLast();
        uses.addLast(next.begin(call));
        if (uses.size() >= sweepAt) {
            sweep();
        }
        return next;
    }

    /// Completes a call when its use has ended, in [#answer()]; if it has none, immediately.
    ///
    /// @param call number of the last call
    void answerAfterUse(long call, CallReply reply) {
        if (uses.isEmpty() || uses.peekLast().call != call) {
            reply.complete(CudaResult.SUCCESS);
            return;
        }
        Use use = uses.peekLast();
        use.reply = reply;
        answered.addLast(use);
    }

    /// Completes the calls whose uses have ended.
    ///
    /// @return number of calls
    int answer() {
        int complete = 0;
        for (int i = answered.size(); i > 0; i--) {
            Use use = answered.removeFirst();
            if (use.isEnded()) {
                use.reply.complete(CudaResult.SUCCESS);
                use.reply = null;
                complete++;
            } else {
                answered.addLast(use);
            }
        }
        return complete;
    }

    /// Removes the uses that have ended, so that one that does not end retains no later ones. Takes
    /// place when their number has doubled.
    private void sweep() {
        for (int i = uses.size(); i > 0; i--) {
            Use use = uses.removeFirst();
            (use.isEnded() && use.reply == null ? free : uses).addLast(use);
        }
        sweepAt = Math.max(SWEEP, 2 * uses.size());
    }

    /// Returns the number of uses that have not been found to have ended.
    int size() {
        return uses.size();
    }

    /// Returns the number of the call whose use is the oldest that has not ended, or
    /// [CudaExecutor#NO_CALL].
    long oldest() {
        while (!uses.isEmpty() && uses.peekFirst().isEnded() && uses.peekFirst().reply == null) {
            free.addLast(uses.removeFirst());
        }
        return uses.isEmpty() ? CudaExecutor.NO_CALL : uses.peekFirst().call;
    }
}
