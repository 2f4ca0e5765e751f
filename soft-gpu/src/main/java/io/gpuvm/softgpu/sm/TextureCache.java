package io.gpuvm.softgpu.sm;

import io.gpuvm.gf100.classes.LinearTexture;
import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.softgpu.mmu.VirtualMemory;
import java.util.Arrays;

/// Textures of a launch whose headers have been read, valid until invalidated. Confined to the
/// thread that runs the block.
final class TextureCache {
    private final VirtualMemory memory;
    private final int[] header = new int[TextureHeader.WORDS];
    private final LinearTexture[] textures = new LinearTexture[TextureBindings.SLOTS];
    private final boolean[] known = new boolean[TextureBindings.SLOTS];
    private TextureBindings bindings = TextureBindings.NONE;

    TextureCache(VirtualMemory memory) {
        this.memory = memory;
    }

    void load(Launch launch) {
        bindings = launch.textures();
        invalidate();
    }

    /// Discards all cached headers.
    void invalidate() {
        Arrays.fill(known, false);
    }

    /// Returns the texture of a slot, or null if the slot has none in linear memory.
    ///
    /// @throws io.gpuvm.softgpu.mmu.MmuFault if the page tables refuse the header
    LinearTexture at(int slot) {
        if (!known[slot]) {
            textures[slot] = read(slot);
            known[slot] = true;
        }
        return textures[slot];
    }

    private LinearTexture read(int slot) {
        Integer number = bindings.headers().get(slot);
        if (number == null || number > bindings.lastHeader()) {
            return null;
        }
        long gpuVa = bindings.poolGpuVa() + (long) number * TextureHeader.BYTES;
        for (int i = 0; i < TextureHeader.WORDS; i++) {
            header[i] = memory.read32(VirtualMemory.wrap(gpuVa + (long) i * Integer.BYTES));
        }
        return LinearTexture.read(header);
    }
}
