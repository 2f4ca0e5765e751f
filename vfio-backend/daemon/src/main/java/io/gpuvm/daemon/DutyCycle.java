package io.gpuvm.daemon;

import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/// What a thread does beside serving its socket.
///
/// @param doWork does what there is to do, and says how much that was
/// @param nanosUntilWork how long the thread may sleep unless somebody wakes it; [Long#MAX_VALUE]
///   for as long as it takes
record DutyCycle(IntSupplier doWork, LongSupplier nanosUntilWork) {
    /// Nothing to do, ever.
    static final DutyCycle NONE = new DutyCycle(() -> 0, () -> Long.MAX_VALUE);
}
