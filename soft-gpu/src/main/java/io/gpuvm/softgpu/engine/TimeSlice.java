package io.gpuvm.softgpu.engine;

import java.util.function.BooleanSupplier;

/// Limit of the engine thread's work on one channel before the thread yields to other channels, and
/// to the register thread on request.
///
/// The unit is one copied byte; the cost of other work is expressed as a number of bytes. The limit
/// is checked between methods, and between the chunks of an operation. Confined to the engine
/// thread.
public final class TimeSlice {
    /// Length of a slice, in bytes; a slice lasts at most a few hundred microseconds.
    private static final int BYTES = 1 << 20;

    private final BooleanSupplier yieldRequested;
    private int left;

    /// @param yieldRequested returns whether the register thread requests the engines; called often
    public TimeSlice(BooleanSupplier yieldRequested) {
        this.yieldRequested = yieldRequested;
    }

    /// Begins a slice.
    public void begin() {
        left = BYTES;
    }

    /// Accounts for work done.
    public void spend(int bytes) {
        left -= bytes;
    }

    /// Ends the slice because the running channel yields or must wait.
    public void end() {
        left = 0;
    }

    /// Returns whether the work must stop at the next safepoint.
    public boolean isOver() {
        return left <= 0 || yieldRequested.getAsBoolean();
    }
}
