package io.gpuvm.gf100.unit;

/// Level-triggered interrupt input of PMC, as a unit drives it.
///
/// Any thread. The code that drives a line must compute the level anew for each call, so that the
/// last call has the current level. If two threads change the state behind a level, a [LevelLine]
/// ensures this.
@FunctionalInterface
public interface InterruptLine {
    /// Asserts or releases the line. Asserting an asserted line has no effect.
    void set(boolean asserted);
}
