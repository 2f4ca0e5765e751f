package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bits;

/// PMU, envytools' PDAEMON: the falcon that manages clocks and power.
///
/// Sources: envytools `rnndb/pm/pdaemon.xml`; nouveau `nvkm/subdev/pmu/{gt215,gf100}.c`.
public final class Pmu {
    static final RegisterBlock BLOCK = new RegisterBlock("PDAEMON", 0x10a000, 0x1000);

    public static final Falcon FALCON = new Falcon(BLOCK, 0x10a000);

    /// Address of a failed access by the program.
    public static final Register MMIO_FAULT_ADDRESS = BLOCK.reg32("MMIO_FAULT_ADDRESS", 0x10a168);

    /// Status of a failed access by the program.
    public static final Register MMIO_FAULT_STATUS = BLOCK.reg32("MMIO_FAULT_STATUS", 0x10a16c);

    /// Producer's index in the ring of messages to the PMU.
    public static final Register RFIFO_PUT = BLOCK.reg32("RFIFO_PUT", 0x10a4a0);

    /// Consumer's index in the ring of messages to the PMU.
    public static final Register RFIFO_GET = BLOCK.reg32("RFIFO_GET", 0x10a4b0);

    /// Producer's index in the ring of messages from the PMU.
    public static final Register D2H_PUT = BLOCK.reg32("D2H_PUT", 0x10a4c8);

    /// Consumer's index in the ring of messages from the PMU.
    public static final Register D2H_GET = BLOCK.reg32("D2H_GET", 0x10a4cc);

    /// Location of the ring of messages to the program; zero until the program runs.
    public static final Register H2D = BLOCK.reg32("H2D", 0x10a4d0);

    /// Location of the ring of messages from the program; zero until the program runs.
    public static final Register D2H = BLOCK.reg32("D2H", 0x10a4dc);

    public static final BitField RING_BYTES = bits(31, 16);
    public static final BitField RING_OFFSET = bits(15, 0);
    public static final int H2D_OFFSET = 0x5a0;
    public static final int D2H_OFFSET = 0x620;
    public static final int MESSAGE_RING_BYTES = 0x80;

    /// Lock words: a write while the word is zero acquires the lock.
    public static final RegisterArray MUTEX = BLOCK.array("MUTEX", 0x10a580, 4, 16);

    /// Size of the code memory, in falcon pages.
    public static final int CODE_PAGES = 0x60;

    /// Size of the data memory, in falcon pages.
    public static final int DATA_PAGES = 0x60;

    private Pmu() {}
}
