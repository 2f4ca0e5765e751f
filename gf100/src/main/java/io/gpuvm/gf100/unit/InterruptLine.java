package io.gpuvm.gf100.unit;

import java.util.function.BooleanSupplier;

/// One level-triggered interrupt input of PMC, as a unit sees it.
///
/// May be called from any thread; calls for the same line must come from code that computes the
/// level afresh each time, so that the last call tells the truth. Where two threads change what a
/// level depends on, both call [#follow].
@FunctionalInterface
public interface InterruptLine {
    /// Asserts or releases the line. Asserting a line that is asserted already changes nothing.
    void set(boolean asserted);

    /// Sets the line to `level`, and again if `level` changed meanwhile: whichever thread comes
    /// last, the line ends at the true level. To be called after the change.
    default void follow(BooleanSupplier level) {
        boolean asserted;
        do {
            asserted = level.getAsBoolean();
            set(asserted);
        } while (asserted != level.getAsBoolean());
    }
}
