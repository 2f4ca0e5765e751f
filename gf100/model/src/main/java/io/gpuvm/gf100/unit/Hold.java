package io.gpuvm.gf100.unit;

/// Event that a driver must acknowledge before a channel can continue.
@FunctionalInterface
public interface Hold {
    /// Returns whether the driver has acknowledged the event.
    boolean isReleased();
}
