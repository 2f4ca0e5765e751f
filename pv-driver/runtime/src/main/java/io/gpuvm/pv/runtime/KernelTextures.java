package io.gpuvm.pv.runtime;

import io.gpuvm.gf100.classes.TextureHeader;
import io.gpuvm.gf100.cubin.TextureSlot;
import io.gpuvm.gf100.push.TextureCommands;
import java.util.List;
import java.util.Map;

/// The textures of a kernel, in the order of its file. Any thread.
final class KernelTextures {
    /// What was bound at some time. Immutable.
    static final class Table {
        private final GpuTexture.Binding[] bindings;

        /// All headers, one behind the other.
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

    /// What was asked for last, so that launches with the same textures make no objects.
    private volatile Table last;

    /// @param byName all textures of the module
    KernelTextures(List<TextureSlot> slots, Map<String, GpuTexture> byName) {
        textures = slots.stream().map(slot -> byName.get(slot.name())).toArray(GpuTexture[]::new);
        this.slots = slots.stream().mapToInt(TextureSlot::slot).toArray();
    }

    boolean isEmpty() {
        return textures.length == 0;
    }

    /// By texture.
    int[] slots() {
        return slots;
    }

    /// Words of the commands that a channel is given them with.
    int words() {
        return isEmpty() ? 0 : TextureCommands.words(textures.length);
    }

    /// What is bound now: the same object for as long as that is the same.
    ///
    /// @throws GpuException if nothing is bound to one of them, or its memory is freed
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
