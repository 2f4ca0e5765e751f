package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.softgpu.sm.TextureBindings;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// Numbers of the texture headers that are bound to compute, by slot. Confined to the engine
/// thread.
final class TextureSlots {
    private static final int NONE = -1;

    private final int[] headers = new int[TextureBindings.SLOTS];
    private Map<Integer, Integer> bound = Map.of();
    private boolean isChanged;

    TextureSlots() {
        Arrays.fill(headers, NONE);
    }

    /// Executes [ComputeClass#BIND_TEXTURE].
    void bind(int data) {
        int slot = ComputeClass.BIND_TEXTURE_SLOT.get(data);
        headers[slot] =
                ComputeClass.BIND_TEXTURE_VALID.isSet(data)
                        ? ComputeClass.BIND_TEXTURE_HEADER.get(data)
                        : NONE;
        isChanged = true;
    }

    /// Returns the bindings of the next launch.
    TextureBindings bindings(ClassState state) {
        if (isChanged) {
            bound = bound();
            isChanged = false;
        }
        if (bound.isEmpty()) {
            return TextureBindings.NONE;
        }
        long pool =
                state.address(
                        ComputeClass.TEXTURES_ADDRESS_HIGH, ComputeClass.TEXTURES_ADDRESS_LOW);
        return new TextureBindings(
                pool & -TextureHeader.BYTES, state.unsigned(ComputeClass.TEXTURES_LIMIT), bound);
    }

    private Map<Integer, Integer> bound() {
        Map<Integer, Integer> found = new HashMap<>();
        for (int slot = 0; slot < headers.length; slot++) {
            if (headers[slot] != NONE) {
                found.put(slot, headers[slot]);
            }
        }
        return Map.copyOf(found);
    }
}
