package io.gpuvm.pv.runtime;

/// How far each of some queues is to come.
///
/// @param numbers for each queue the number of a submission
record QueuePositions(CommandQueue[] queues, long[] numbers) {
    boolean isDone() {
        for (int i = 0; i < queues.length; i++) {
            if (!queues[i].isDone(numbers[i])) {
                return false;
            }
        }
        return true;
    }

    /// @throws GpuException if the context fails meanwhile
    void await() {
        for (int i = 0; i < queues.length; i++) {
            queues[i].await(numbers[i]);
        }
    }
}
