package io.gpuvm.gf100.unit;

/// Event that a driver must acknowledge before a channel continues.
@FunctionalInterface
public interface Hold {
    /// Returns whether the driver has acknowledged the event.
    boolean isReleased();
}
