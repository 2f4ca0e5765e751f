package io.gpuvm.gf100.unit;

/// One level-triggered interrupt input of PMC, as a unit sees it.
///
/// May be called from any thread; calls for the same line must come from code that computes the
/// level afresh each time, so that the last call tells the truth. Where two threads change what a
/// level depends on, a [LevelLine] sees to that.
@FunctionalInterface
public interface InterruptLine {
    /// Asserts or releases the line. Asserting a line that is asserted already changes nothing.
    void set(boolean asserted);
}
