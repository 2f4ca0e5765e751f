package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.classes.TextureHeader;

/// Commands that set the textures of subsequent launches of a channel.
///
/// The commands have the same order as in Mesa's `nvc0_tex.c` and `nvc0_compute.c`.
public final class TextureCommands {
    private static final int SUBCHANNEL = Subchannel.COMPUTE;

    private TextureCommands() {}

    /// Returns the number of words of [#textures] for the given number of textures, at least 1.
    public static int words(int textures) {
        return InlineData.WORDS + textures * TextureHeader.WORDS + 1 + 1 + 4 + 1 + 1 + textures;
    }

    /// Writes headers to the pool and binds them to texture slots, in the same order. The pool must
    /// not contain headers that unfinished launches read.
    ///
    /// @param poolGpuVa address of the headers, a multiple of [TextureHeader#BYTES]
    /// @param slots slot of each header, at least one
    /// @param headers [TextureHeader#WORDS] words of each header
    public static void textures(PushBuffer push, long poolGpuVa, int[] slots, int[] headers) {
        InlineData.announce(push, poolGpuVa, headers.length * Integer.BYTES);
        for (int word : headers) {
            push.word(word);
        }
        push.immediate(Subchannel.M2MF, M2mfClass.SERIALIZE, 0)
                .immediate(
                        SUBCHANNEL,
                        ComputeClass.TEXTURE_LIMITS,
                        ComputeClass.TEXTURE_LIMITS_TEXTURES.of(ComputeClass.TEXTURES_LOG2_MAX))
                .increasing(SUBCHANNEL, ComputeClass.TEXTURES_ADDRESS_HIGH, 3)
                .word((int) (poolGpuVa >>> Integer.SIZE))
                .word((int) poolGpuVa)
                .word(slots.length - 1)
                .immediate(SUBCHANNEL, ComputeClass.TEXTURE_FLUSH, 0)
                .nonIncreasing(SUBCHANNEL, ComputeClass.BIND_TEXTURE, slots.length);
        for (int i = 0; i < slots.length; i++) {
            push.word(
                    ComputeClass.BIND_TEXTURE_VALID.of(1)
                            | ComputeClass.BIND_TEXTURE_SLOT.of(slots[i])
                            | ComputeClass.BIND_TEXTURE_HEADER.of(i));
        }
    }
}
