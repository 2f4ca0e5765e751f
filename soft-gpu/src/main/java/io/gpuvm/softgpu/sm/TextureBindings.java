package io.gpuvm.softgpu.sm;

import java.util.Map;

/// The textures of a launch: which header each slot has.
///
/// @param poolGpuVa where the headers are
/// @param lastHeader number of the last one that there is
/// @param headers number of the header, by slot; slots that are not in it have no texture
public record TextureBindings(long poolGpuVa, long lastHeader, Map<Integer, Integer> headers) {
    /// How many slots there are.
    public static final int SLOTS = 256;

    /// No slot has a texture.
    public static final TextureBindings NONE = new TextureBindings(0, 0, Map.of());

    public TextureBindings {
        headers = Map.copyOf(headers);
    }
}
