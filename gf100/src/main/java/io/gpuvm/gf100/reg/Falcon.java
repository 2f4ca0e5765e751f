package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// The registers that every falcon, the small processor inside many units, has at the start of its
/// part of BAR0.
///
/// Sources: envytools `rnndb/falcon.xml`; nouveau `nvkm/engine/falcon.c`.
public final class Falcon {
    /// Instructions are cached in pages of this many bytes, and memory sizes counted in them.
    public static final int PAGE_BYTES = 256;

    /// Host number of the interrupt that a program raises for an error.
    public static final BitField INTR_ERROR = bit(6);

    /// Which interrupts go to the host (low half), and of these, which to the second tree (high).
    public static final BitField INTR_ROUTING_HOST = bits(15, 0);

    /// What copy programs write there: everything but the periodic timer and the watchdog.
    public static final int INTR_ROUTING_OF_PROGRAMS = 0xfff3;

    /// Whether the falcon may reach its unit's FIFO and memory.
    public static final BitField ACCESS_EN_FIFO_AND_CHANNEL = bits(1, 0);

    public static final BitField UC_CTRL_START = bit(1);
    public static final BitField CAPS_CODE_PAGES = bits(8, 0);
    public static final BitField CAPS_DATA_PAGES = bits(17, 9);
    public static final BitField CAPS2_VERSION = bits(3, 0);

    /// Upload ports for code and data.
    public static final BitField CAPS2_CODE_PORTS = bits(11, 8);

    public static final BitField CAPS2_DATA_PORTS = bits(15, 12);

    /// Byte address in data memory of the next access through the port.
    public static final BitField DATA_INDEX_OFFSET = bits(15, 2).scaledBy(2);

    /// Move on by a word after each write.
    public static final BitField DATA_INDEX_WRITE_INCREMENT = bit(24);

    /// Move on by a word after each read.
    public static final BitField DATA_INDEX_READ_INCREMENT = bit(25);

    public static final BitField CHANNEL_INSTANCE = bits(29, 0);

    private final Register intrTrigger;
    private final Register intrAck;
    private final Register intr;
    private final Register intrEnSet;
    private final Register intrEnClr;
    private final Register intrEn;
    private final Register intrRouting;
    private final Register scratch0;
    private final Register scratch1;
    private final Register accessEn;
    private final Register statusBusy;
    private final Register channelCur;
    private final Register channelNext;
    private final Register scratch3;
    private final Register ucCtrl;
    private final Register entry;
    private final Register caps;
    private final Register ucBlockOnFifo;
    private final Register caps2;
    private final Register codeIndex;
    private final Register code;
    private final Register codeVirtAddr;
    private final Register dataIndex;
    private final Register data;

    Falcon(RegisterBlock block, int base) {
        intrTrigger = block.reg32("INTR_TRIGGER", base);
        intrAck = block.reg32("INTR_ACK", base + 0x004);
        intr = block.reg32("INTR", base + 0x008);
        intrEnSet = block.reg32("INTR_EN_SET", base + 0x010);
        intrEnClr = block.reg32("INTR_EN_CLR", base + 0x014);
        intrEn = block.reg32("INTR_EN", base + 0x018);
        intrRouting = block.reg32("INTR_ROUTING", base + 0x01c);
        scratch0 = block.reg32("SCRATCH0", base + 0x040);
        scratch1 = block.reg32("SCRATCH1", base + 0x044);
        accessEn = block.reg32("ACCESS_EN", base + 0x048);
        statusBusy = block.reg32("STATUS_BUSY", base + 0x04c);
        channelCur = block.reg32("CHANNEL_CUR", base + 0x050);
        channelNext = block.reg32("CHANNEL_NEXT", base + 0x054);
        scratch3 = block.reg32("SCRATCH3", base + 0x084);
        ucCtrl = block.reg32("UC_CTRL", base + 0x100);
        entry = block.reg32("ENTRY", base + 0x104);
        caps = block.reg32("CAPS", base + 0x108);
        ucBlockOnFifo = block.reg32("UC_BLOCK_ON_FIFO", base + 0x10c);
        caps2 = block.reg32("CAPS2", base + 0x12c);
        codeIndex = block.reg32("CODE_INDEX", base + 0x180);
        code = block.reg32("CODE", base + 0x184);
        codeVirtAddr = block.reg32("CODE_VIRT_ADDR", base + 0x188);
        dataIndex = block.reg32("DATA_INDEX", base + 0x1c0);
        data = block.reg32("DATA", base + 0x1c4);
    }

    /// Raises interrupts by hand; the graphics falcons take context switch requests here.
    public Register intrTrigger() {
        return intrTrigger;
    }

    /// Clears interrupts.
    public Register intrAck() {
        return intrAck;
    }

    /// Pending interrupts.
    public Register intr() {
        return intr;
    }

    /// Sets bits of [#intrEn()].
    public Register intrEnSet() {
        return intrEnSet;
    }

    /// Clears bits of [#intrEn()].
    public Register intrEnClr() {
        return intrEnClr;
    }

    /// Which interrupts count.
    public Register intrEn() {
        return intrEn;
    }

    /// Where interrupts go; normally set by the falcon's own program.
    public Register intrRouting() {
        return intrRouting;
    }

    /// First scratch register, where copy programs put the code and method of an error.
    public Register scratch0() {
        return scratch0;
    }

    /// Second scratch register, where copy programs put the data of an error.
    public Register scratch1() {
        return scratch1;
    }

    /// Access to FIFO and channels.
    public Register accessEn() {
        return accessEn;
    }

    /// Zero when nothing runs.
    public Register statusBusy() {
        return statusBusy;
    }

    /// Instance block of the channel that runs.
    public Register channelCur() {
        return channelCur;
    }

    /// Instance block of the channel to come.
    public Register channelNext() {
        return channelNext;
    }

    /// Scratch register in which nouveau tells a copy program which copy engine it is.
    public Register scratch3() {
        return scratch3;
    }

    /// Starts the processor.
    public Register ucCtrl() {
        return ucCtrl;
    }

    /// Where it starts.
    public Register entry() {
        return entry;
    }

    /// Sizes of code and data memory.
    public Register caps() {
        return caps;
    }

    /// Whether execution waits for work.
    public Register ucBlockOnFifo() {
        return ucBlockOnFifo;
    }

    /// Version and number of ports.
    public Register caps2() {
        return caps2;
    }

    /// Code upload: position.
    public Register codeIndex() {
        return codeIndex;
    }

    /// Code upload: word.
    public Register code() {
        return code;
    }

    /// Code upload: page of the program that the next words belong to.
    public Register codeVirtAddr() {
        return codeVirtAddr;
    }

    /// Data port: position and step.
    public Register dataIndex() {
        return dataIndex;
    }

    /// Data port: word.
    public Register data() {
        return data;
    }
}
