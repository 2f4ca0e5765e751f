package io.gpuvm.gf100.unit;

/// Root of the interrupt tree, which converts a level to messages or drives a wire.
@FunctionalInterface
public interface InterruptPin {
    /// Called after a change of any state on which [InterruptTree#asserted()] depends, by the
    /// thread that changed it; the pin must evaluate the level in this call. Several threads may
    /// call concurrently.
    void levelMayHaveChanged();
}
