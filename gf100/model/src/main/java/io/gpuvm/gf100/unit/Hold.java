package io.gpuvm.gf100.unit;

/// Something that a driver must acknowledge before a channel goes on.
@FunctionalInterface
public interface Hold {
    /// Whether it has been acknowledged.
    boolean isReleased();
}
