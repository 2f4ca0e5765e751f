package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuPoint;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/// Calls that read or write the data area, in the order of their calls.
final class AreaUses {
    /// Use by one call.
    static final class Use {
        private final long call;

        /// End of the use; null until the operation is submitted.
        private GpuPoint end;

        /// Condition of the end of a use without the GPU; null if there is none.
        private BooleanSupplier condition;

        private boolean ended;

        private Use(long call) {
            this.call = call;
        }

        /// Records the point at which the GPU has completed the operation.
        void endsAt(GpuPoint point) {
            end = point;
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
            if (!ended && end != null) {
                try {
                    ended = end.isDone();
                } catch (GpuException _) {
                    // The channels of a failed or closed context no longer run.
                    ended = true;
                }
            }
            return ended;
        }
    }

    private final Deque<Use> uses = new ArrayDeque<>();

    /// Begins a use.
    ///
    /// @param call number of the call, greater than that of earlier uses
    Use begin(long call) {
        Use use = new Use(call);
        uses.addLast(use);
        return use;
    }

    /// Returns the number of the call whose use is the oldest that has not ended, or
    /// [CudaExecutor#NO_CALL].
    long oldest() {
        while (!uses.isEmpty() && uses.peekFirst().isEnded()) {
            uses.removeFirst();
        }
        return uses.isEmpty() ? CudaExecutor.NO_CALL : uses.peekFirst().call;
    }
}
