package io.gpuvm.pv.runtime;

/// Positions in several queues, which a thread can await.
///
/// @param numbers number of a submission, by queue
record QueuePositions(CommandQueue[] queues, long[] numbers) {
    boolean isDone() {
        for (int i = 0; i < queues.length; i++) {
            if (!queues[i].isDone(numbers[i])) {
                return false;
            }
        }
        return true;
    }

    /// @throws GpuException if the context fails during the wait
    void await() {
        for (int i = 0; i < queues.length; i++) {
            queues[i].await(numbers[i]);
        }
    }
}
