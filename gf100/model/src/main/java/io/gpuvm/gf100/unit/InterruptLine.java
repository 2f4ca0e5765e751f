package io.gpuvm.gf100.unit;

/// Level-triggered interrupt input of PMC, as a unit drives it.
///
/// Any thread. The code that drives a line must compute the level for each call, so that the last
/// call sets the current level. Two threads that change the state behind a level must use a
/// [LevelLine].
@FunctionalInterface
public interface InterruptLine {
    /// Asserts or releases the line. Asserting an asserted line has no effect.
    void set(boolean asserted);
}
