package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PDISPLAY: heads, outputs, and the channels (EVO) through which a driver programs them.
///
/// Sources: envytools `rnndb/display/{g80_pdisplay,nv_evo}.xml`; nouveau
/// `nvkm/engine/disp/{nv50,g84,g94,gt215}.c`, `dispnv50/`.
public final class Pdisplay {
    static final RegisterBlock BLOCK = new RegisterBlock("PDISPLAY", 0x610000, 0x10000);
    static final RegisterBlock USER_BLOCK = new RegisterBlock("PDISPLAY.USER", 0x640000, 0x10000);
    static final RegisterBlock VGA_BLOCK = new RegisterBlock("PRMVGA", 0x601000, 0x1000);

    /// Number of heads, the pipelines from memory to an output.
    public static final int HEADS = 2;

    private static final int UNIT_STRIDE = 0x800;

    /// Indexed VGA registers: one byte for the index, one for the value.
    public static final Register CRTC_INDEX_DATA = VGA_BLOCK.reg32("CRTC", 0x6013d4);

    public static final BitField CRTC_INDEX = bits(7, 0);
    public static final BitField CRTC_DATA = bits(15, 8);

    /// Address of the area of VRAM that contains the hash table of handles and the channels'
    /// objects.
    public static final Register OBJECTS = BLOCK.reg32("OBJECTS", 0x610010);

    public static final BitField OBJECTS_ADDRESS = bits(31, 8).scaledBy(16);

    public static final Register INTR_0 = BLOCK.reg32("INTR_0", 0x610020);
    public static final Register INTR_1 = BLOCK.reg32("INTR_1", 0x610024);
    public static final Register INTR_EN_0 = BLOCK.reg32("INTR_EN_0", 0x610028);
    public static final Register INTR_EN_1 = BLOCK.reg32("INTR_EN_1", 0x61002c);

    /// Existing outputs, copied by the driver from [#CLOCK_CAP].
    public static final Register CAP = BLOCK.reg32("CAP", 0x610184);

    public static final RegisterRange HEAD_CAPS = BLOCK.range("HEAD_CAP", 0x610190, 0x6101b0);
    public static final RegisterRange DAC_CAPS = BLOCK.range("DAC_CAP", 0x6101d0, 0x6101dc);
    public static final RegisterRange SOR_CAPS = BLOCK.range("SOR_CAP", 0x6101e0, 0x6101f0);
    public static final RegisterRange PIOR_CAPS = BLOCK.range("PIOR_CAP", 0x6101f0, 0x6101fc);

    /// Number of channels: the core channel and, for each head, a base channel, an overlay channel
    /// and two PIO channels.
    public static final int CHANNELS = 9;

    /// First PIO channel.
    public static final int FIRST_PIO_CHANNEL = 5;

    public static final int CORE_CHANNEL = 0;

    public static final RegisterArray CHANNEL_STAT =
            BLOCK.array("CHANNEL.STAT", 0x610200, 0x10, CHANNELS);
    public static final BitField CHANNEL_STAT_ENABLE = bit(0);
    public static final BitField CHANNEL_STAT_DMA_BITS = bits(1, 0);
    public static final BitField CHANNEL_STAT_CONNECTED = bit(4);
    public static final BitField CHANNEL_STAT_RESET = bit(13);
    public static final BitField CHANNEL_STAT_STATE = bits(17, 16);
    public static final int CHANNEL_STATE_OFF = 0;
    public static final int CHANNEL_STATE_ACTIVE = 1;

    /// Push buffer: address and target.
    public static final RegisterArray CHANNEL_DMA_CB =
            BLOCK.array("CHANNEL.DMA_CB", 0x610204, 0x10, FIRST_PIO_CHANNEL);

    public static final BitField CHANNEL_DMA_CB_TARGET = bits(1, 0);
    public static final BitField CHANNEL_DMA_CB_ADDRESS = bits(31, 4).scaledBy(12);
    public static final int CHANNEL_DMA_CB_VRAM = 1;
    public static final int CHANNEL_DMA_CB_SYSTEM_NONCOHERENT = 2;
    public static final int CHANNEL_DMA_CB_SYSTEM_COHERENT = 3;
    public static final RegisterArray CHANNEL_UNK2 =
            BLOCK.array("CHANNEL.UNK2", 0x610208, 0x10, FIRST_PIO_CHANNEL);
    public static final RegisterArray CHANNEL_UNK3 =
            BLOCK.array("CHANNEL.UNK3", 0x61020c, 0x10, FIRST_PIO_CHANNEL);

    /// Mode that the VBIOS has set for the first digital output.
    public static final Register SOR_VAL_MODE_CTRL = BLOCK.reg32("SOR_VAL_MODE_CTRL", 0x610798);

    /// Existing outputs.
    public static final Register CLOCK_CAP = BLOCK.reg32("CLOCK.CAP", 0x614004);

    public static final BitField CAP_SOR_MASK = bits(27, 24);

    /// First of four words of capabilities, by head.
    public static final RegisterArray HEAD_A = BLOCK.array("HEAD.CAP_A", 0x616100, UNIT_STRIDE, 2);

    public static final RegisterArray HEAD_B = BLOCK.array("HEAD.CAP_B", 0x616104, UNIT_STRIDE, 2);
    public static final RegisterArray HEAD_C = BLOCK.array("HEAD.CAP_C", 0x616108, UNIT_STRIDE, 2);
    public static final RegisterArray HEAD_D = BLOCK.array("HEAD.CAP_D", 0x61610c, UNIT_STRIDE, 2);

    /// Address of the VBIOS's copy in VRAM; zero if there is no copy.
    public static final Register VGA_ROM_WINDOW = BLOCK.reg32("VGA.ROM_WINDOW", 0x619f04);

    public static final RegisterArray DAC_CAP = BLOCK.array("DAC.CAP", 0x61a000, UNIT_STRIDE, 3);
    public static final RegisterArray DAC_DPMS = BLOCK.array("DAC.DPMS", 0x61a004, UNIT_STRIDE, 3);
    public static final RegisterArray SOR_CAP = BLOCK.array("SOR.CAP", 0x61c000, UNIT_STRIDE, 4);
    public static final RegisterArray SOR_DPMS = BLOCK.array("SOR.DPMS", 0x61c004, UNIT_STRIDE, 4);
    public static final RegisterArray SOR_STATE =
            BLOCK.array("SOR.STATE", 0x61c030, UNIT_STRIDE, 4);
    public static final RegisterArray PIOR_CAP = BLOCK.array("PIOR.CAP", 0x61e000, UNIT_STRIDE, 3);
    public static final RegisterArray PIOR_DPMS =
            BLOCK.array("PIOR.DPMS", 0x61e004, UNIT_STRIDE, 3);

    /// Flag in the DPMS registers: a change is pending.
    public static final BitField DPMS_PENDING = bit(31);

    /// Position in the push buffer at which the driver writes next, in bytes; in each channel's
    /// user area.
    public static final RegisterArray USER_PUT =
            USER_BLOCK.array("PUT", 0x640000, 0x1000, FIRST_PIO_CHANNEL);

    /// Position in the push buffer at which the channel reads next, in bytes.
    public static final RegisterArray USER_GET =
            USER_BLOCK.array("GET", 0x640004, 0x1000, FIRST_PIO_CHANNEL);

    /// Size in bytes of the hash table of handles. An entry is a handle and a context word, which
    /// refers to an object (`dispnv50`, `nvkm/core/ramht.c`, `nvkm/engine/dma/usernv50.c`).
    public static final int HASH_TABLE_BYTES = 0x1000;

    public static final BitField HASH_CONTEXT_CHANNEL = bits(3, 0);
    public static final BitField HASH_CONTEXT_OFFSET = bits(27, 10);

    /// Target of the memory, in the first word of a DMA object.
    public static final BitField DMA_OBJECT_TARGET = bits(17, 16);

    public static final int DMA_OBJECT_VRAM = 1;
    public static final int DMA_OBJECT_SYSTEM_COHERENT = 2;
    public static final int DMA_OBJECT_SYSTEM_NONCOHERENT = 3;
    public static final int DMA_OBJECT_LIMIT_LOW = 0x04;
    public static final int DMA_OBJECT_START_LOW = 0x08;
    public static final int DMA_OBJECT_HIGH = 0x0c;
    public static final BitField DMA_OBJECT_HIGH_START = bits(7, 0);
    public static final BitField DMA_OBJECT_HIGH_LIMIT = bits(31, 24);

    private Pdisplay() {}
}
