package io.gpuvm.gf100.push;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.M2mfClass;
import io.gpuvm.gf100.classes.TextureHeader;

/// How a channel is given the textures of the launches that follow.
///
/// The order is that of Mesa's `nvc0_tex.c` and `nvc0_compute.c`.
public final class TextureCommands {
    private static final int SUBCHANNEL = Subchannel.COMPUTE;

    private TextureCommands() {}

    /// Words of [#textures] for so many of them, at least 1.
    public static int words(int textures) {
        return InlineData.WORDS + textures * TextureHeader.WORDS + 1 + 1 + 4 + 1 + 1 + textures;
    }

    /// Makes headers the textures of slots, in the same order. What launches before read must not
    /// be in the same pool any more, unless they are done.
    ///
    /// @param poolGpuVa where the headers go, a multiple of [TextureHeader#BYTES]
    /// @param slots one for each header, at least one
    /// @param headers [TextureHeader#WORDS] words for each
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
