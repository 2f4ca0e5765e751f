package io.gpuvm.backend;

/// Something that a thread does beside serving its socket.
interface DutyCycle {
    /// Nothing to do, ever.
    DutyCycle NONE =
            new DutyCycle() {
                @Override
                public int doWork() {
                    return 0;
                }

                @Override
                public long nanosUntilWork() {
                    return Long.MAX_VALUE;
                }
            };

    /// Does what there is to do.
    ///
    /// @return how much that was
    int doWork();

    /// How long the thread may sleep unless somebody wakes it; [Long#MAX_VALUE] for as long as it
    /// takes.
    long nanosUntilWork();
}
