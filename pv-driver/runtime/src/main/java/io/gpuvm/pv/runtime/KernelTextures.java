package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.push.TextureCommands;
import java.util.List;
import java.util.Map;

/// Textures of a kernel, in the order of its file. Any thread.
final class KernelTextures {
    /// Bindings of all textures at a point in time. Immutable.
    static final class Table {
        private final GpuTexture.Binding[] bindings;

        /// Headers of all textures, one after another.
        final int[] headers;

        private Table(GpuTexture.Binding[] bindings) {
            this.bindings = bindings;
            headers = new int[bindings.length * TextureHeader.WORDS];
            for (int i = 0; i < bindings.length; i++) {
                int[] words = bindings[i].texture().words();
                System.arraycopy(words, 0, headers, i * TextureHeader.WORDS, words.length);
            }
        }
    }

    private final GpuTexture[] textures;
    private final int[] slots;

    /// Last table, reused so that launches with the same bindings allocate nothing.
    private volatile Table last;

    /// @param byName all textures of the module, by name
    KernelTextures(List<TextureSlot> slots, Map<String, GpuTexture> byName) {
        textures = slots.stream().map(slot -> byName.get(slot.name())).toArray(GpuTexture[]::new);
        this.slots = slots.stream().mapToInt(TextureSlot::slot).toArray();
    }

    boolean isEmpty() {
        return textures.length == 0;
    }

    /// Returns the slots, by texture.
    int[] slots() {
        return slots;
    }

    /// Returns the number of words of the commands that send the textures to a channel.
    int words() {
        return isEmpty() ? 0 : TextureCommands.words(textures.length);
    }

    /// Returns the current bindings; the same object until the bindings change.
    ///
    /// @throws GpuException if a texture is not bound, or its memory is freed
    Table table() {
        Table known = last;
        boolean isSame = known != null;
        for (int i = 0; i < textures.length; i++) {
            GpuTexture.Binding binding = textures[i].binding();
            isSame = isSame && known.bindings[i] == binding;
        }
        if (!isSame) {
            known = new Table(bindings());
            last = known;
        }
        return known;
    }

    private GpuTexture.Binding[] bindings() {
        GpuTexture.Binding[] bindings = new GpuTexture.Binding[textures.length];
        for (int i = 0; i < bindings.length; i++) {
            bindings[i] = textures[i].binding();
        }
        return bindings;
    }
}
