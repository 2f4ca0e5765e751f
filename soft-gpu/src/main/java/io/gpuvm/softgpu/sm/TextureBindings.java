package io.gpuvm.softgpu.sm;

import java.util.Map;

/// Textures of a launch: the header of each slot.
///
/// @param poolGpuVa address of the headers
/// @param lastHeader number of the last header in the pool
/// @param headers number of the header, by slot; absent slots have no texture
public record TextureBindings(long poolGpuVa, long lastHeader, Map<Integer, Integer> headers) {
    /// Number of slots.
    public static final int SLOTS = 256;

    /// Bindings without textures.
    public static final TextureBindings NONE = new TextureBindings(0, 0, Map.of());

    public TextureBindings {
        headers = Map.copyOf(headers);
    }
}
