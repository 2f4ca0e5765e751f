package io.gpuvm.daemon;

/// Something that takes its turns on the thread of the GPU's owner. All methods are called there.
interface Passenger {
    /// Waits for no descriptor.
    int NO_DESCRIPTOR = -1;

    /// Does what there is to do, up to a bound.
    ///
    /// @return how much was done
    int doWork();

    /// The thread is about to sleep: whoever has work from now on wakes it.
    ///
    /// @return whether there is nothing to do
    boolean prepareToPark();

    /// How long the thread may sleep; [Long#MAX_VALUE] until somebody wakes it.
    long nanosUntilWork();

    /// The thread is awake again, or has not slept after all.
    void onAwake();

    /// What is readable when there is work, beside whoever wakes the thread.
    default int descriptor() {
        return NO_DESCRIPTOR;
    }
}
