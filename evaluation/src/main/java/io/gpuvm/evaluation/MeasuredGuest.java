package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.GuestStart;
import java.util.List;

/// Guest under measurement with its GPU: a process or a virtual machine in which a
/// [MeasuredProgram] runs. One thread.
interface MeasuredGuest extends AutoCloseable {
    /// Returns the program in the guest.
    MeasuredProgram program();

    /// Reads the counters. The program must be idle.
    ///
    /// @throws GuestLostException if the backend does not answer
    GpuReading read();

    /// Moves the [DelayingThreads] of the GPU's process that have started since the last call to
    /// the guests' processors.
    ///
    /// @throws IllegalStateException if Linux refuses to move a thread
    void moveDelayingThreads() throws InterruptedException;

    /// Returns the times of the guest's start.
    GuestStart start(int round) throws InterruptedException;

    /// Returns failures that the guest has reported in addition to the program's answers, for
    /// instance warnings of Linux.
    default List<String> complaints() throws InterruptedException {
        return List.of();
    }

    /// Ends the guest and its backend.
    @Override
    void close();
}
