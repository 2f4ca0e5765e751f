package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// Registers of a falcon, the small processor inside many units, at the start of the unit's part of
/// BAR0.
///
/// Sources: envytools `rnndb/falcon.xml`; nouveau `nvkm/engine/falcon.c`.
///
/// @param intrTrigger request for interrupts by software; the graphics falcons accept requests for
///   context switches in this register
/// @param intrAck acknowledgement of interrupts
/// @param intr pending interrupts
/// @param intrEnSet bits to set in [#intrEn()]
/// @param intrEnClr bits to clear in [#intrEn()]
/// @param intrEn enabled interrupts
/// @param intrRouting destination of interrupts; normally set by the falcon's own program
/// @param scratch0 first scratch register, where copy programs put the code and method of an error
/// @param scratch1 second scratch register, where copy programs put the data of an error
/// @param accessEn permission to access FIFO and channels
/// @param statusBusy busy bits, zero when idle
/// @param channelCur instance block of the current channel
/// @param channelNext instance block of the next channel
/// @param scratch3 scratch register through which nouveau passes a copy program the number of its
///   copy engine
/// @param ucCtrl start of the processor
/// @param entry start address of the program
/// @param caps sizes of code and data memory
/// @param ucBlockOnFifo whether execution waits for work
/// @param caps2 version and number of ports
/// @param codeIndex code upload: position
/// @param code code upload: word
/// @param codeVirtAddr code upload: page of the program for the next words
/// @param dataIndex data port: position and step
/// @param data data port: word
public record Falcon(
        Register intrTrigger,
        Register intrAck,
        Register intr,
        Register intrEnSet,
        Register intrEnClr,
        Register intrEn,
        Register intrRouting,
        Register scratch0,
        Register scratch1,
        Register accessEn,
        Register statusBusy,
        Register channelCur,
        Register channelNext,
        Register scratch3,
        Register ucCtrl,
        Register entry,
        Register caps,
        Register ucBlockOnFifo,
        Register caps2,
        Register codeIndex,
        Register code,
        Register codeVirtAddr,
        Register dataIndex,
        Register data) {
    /// Size in bytes of a page of the instruction cache, the unit of memory sizes.
    public static final int PAGE_BYTES = 256;

    /// Interrupt that a program raises to report an error.
    public static final BitField INTR_ERROR = bit(6);

    /// Interrupts routed to the host. The high half of the register selects the interrupts that use
    /// the second tree.
    public static final BitField INTR_ROUTING_HOST = bits(15, 0);

    /// Value that copy programs write: all interrupts except the periodic timer and the watchdog.
    public static final int INTR_ROUTING_OF_PROGRAMS = 0xfff3;

    /// Allows the falcon to access its unit's FIFO and memory.
    public static final BitField ACCESS_EN_FIFO_AND_CHANNEL = bits(1, 0);

    public static final BitField UC_CTRL_START = bit(1);
    public static final BitField CAPS_CODE_PAGES = bits(8, 0);
    public static final BitField CAPS_DATA_PAGES = bits(17, 9);
    public static final BitField CAPS2_VERSION = bits(3, 0);

    /// Number of upload ports for code.
    public static final BitField CAPS2_CODE_PORTS = bits(11, 8);

    /// Number of upload ports for data.
    public static final BitField CAPS2_DATA_PORTS = bits(15, 12);

    /// Byte address in data memory of the next access through the port.
    public static final BitField DATA_INDEX_OFFSET = bits(15, 2).scaledBy(2);

    /// Advances the position by a word after each write.
    public static final BitField DATA_INDEX_WRITE_INCREMENT = bit(24);

    /// Advances the position by a word after each read.
    public static final BitField DATA_INDEX_READ_INCREMENT = bit(25);

    public static final BitField CHANNEL_INSTANCE = bits(29, 0);

    Falcon(RegisterBlock block, int base) {
        this(
                block.reg32("INTR_TRIGGER", base),
                block.reg32("INTR_ACK", base + 0x004),
                block.reg32("INTR", base + 0x008),
                block.reg32("INTR_EN_SET", base + 0x010),
                block.reg32("INTR_EN_CLR", base + 0x014),
                block.reg32("INTR_EN", base + 0x018),
                block.reg32("INTR_ROUTING", base + 0x01c),
                block.reg32("SCRATCH0", base + 0x040),
                block.reg32("SCRATCH1", base + 0x044),
                block.reg32("ACCESS_EN", base + 0x048),
                block.reg32("STATUS_BUSY", base + 0x04c),
                block.reg32("CHANNEL_CUR", base + 0x050),
                block.reg32("CHANNEL_NEXT", base + 0x054),
                block.reg32("SCRATCH3", base + 0x084),
                block.reg32("UC_CTRL", base + 0x100),
                block.reg32("ENTRY", base + 0x104),
                block.reg32("CAPS", base + 0x108),
                block.reg32("UC_BLOCK_ON_FIFO", base + 0x10c),
                block.reg32("CAPS2", base + 0x12c),
                block.reg32("CODE_INDEX", base + 0x180),
                block.reg32("CODE", base + 0x184),
                block.reg32("CODE_VIRT_ADDR", base + 0x188),
                block.reg32("DATA_INDEX", base + 0x1c0),
                block.reg32("DATA", base + 0x1c4));
    }
}
