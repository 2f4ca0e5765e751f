package io.gpuvm.softgpu.engine;

import java.util.function.BooleanSupplier;

/// How long the engine thread may go on before it lets others: other channels, and the register
/// thread if that asks.
///
/// Counted in bytes copied; other work is expressed as so many bytes. Looked at between the chunks
/// of an operation and between methods. Confined to the engine thread.
public final class TimeSlice {
    /// A slice takes a few hundred microseconds at the most.
    private static final int BYTES = 1 << 20;

    private final BooleanSupplier yieldRequested;
    private int left;

    /// @param yieldRequested whether somebody else wants the engines now; asked often
    public TimeSlice(BooleanSupplier yieldRequested) {
        this.yieldRequested = yieldRequested;
    }

    /// Starts another slice.
    public void begin() {
        left = BYTES;
    }

    /// Accounts for work done.
    public void spend(int bytes) {
        left -= bytes;
    }

    /// Ends the slice: whoever runs has something to wait for.
    public void end() {
        left = 0;
    }

    /// Whether to stop at the next safepoint.
    public boolean isOver() {
        return left <= 0 || yieldRequested.getAsBoolean();
    }
}
