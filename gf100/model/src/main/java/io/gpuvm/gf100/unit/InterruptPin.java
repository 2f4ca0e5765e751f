package io.gpuvm.gf100.unit;

/// Where the interrupt tree ends: whoever turns a level into messages or a wire.
@FunctionalInterface
public interface InterruptPin {
    /// Called after anything that [InterruptTree#asserted()] depends on has changed, by the thread
    /// that changed it: look at the level now. Calls may come from several threads at once.
    void levelMayHaveChanged();
}
