package io.gpuvm.cuda.service;

import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.GpuPoint;
import java.util.ArrayDeque;
import java.util.Deque;

/// Operations that read or write the data area, in the order of their calls.
final class AreaUses {
    /// Use by one operation.
    static final class Use {
        private final long call;

        /// End of the use; null until the operation is submitted.
        private GpuPoint end;

        private boolean ended;

        private Use(long call) {
            this.call = call;
        }

        /// Records the point at which the GPU has completed the operation.
        void endsAt(GpuPoint point) {
            end = point;
        }

        /// Ends the use of an operation that is not submitted.
        void end() {
            ended = true;
        }

        private boolean isEnded() {
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
