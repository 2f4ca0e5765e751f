package io.gpuvm.softgpu.engine;

/// Something that a driver must acknowledge before a channel goes on.
@FunctionalInterface
public interface Hold {
    /// Whether it has been acknowledged.
    boolean isReleased();
}
