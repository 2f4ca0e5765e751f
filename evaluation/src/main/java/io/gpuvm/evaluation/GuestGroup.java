package io.gpuvm.evaluation;

import java.util.List;

/// Several guests of one backend.
interface GuestGroup extends AutoCloseable {
    /// Returns the programs in the guests.
    List<MeasuredProgram> programs();

    MeasuredBackend backend();

    /// Ends the guests and their backend.
    @Override
    void close();
}
