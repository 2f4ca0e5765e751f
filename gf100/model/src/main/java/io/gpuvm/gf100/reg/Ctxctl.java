package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// CTXCTL: the falcons that switch graphics contexts. The falcon in the hub (FECS) communicates
/// with the driver; the falcon in each GPC (GPCCS) executes the hub's commands.
///
/// Sources: envytools `rnndb/graph/gf100_pgraph/ctxctl.xml`; nouveau `nvkm/engine/gr/gf100.c`,
/// `ctxgf100.c`, `fuc/{hub,gpc}.fuc`.
public final class Ctxctl {
    static final RegisterBlock HUB_BLOCK = new RegisterBlock("PGRAPH.CTXCTL", 0x409000, 0x1000);
    static final RegisterBlock GPC_BLOCK =
            new RegisterBlock("PGRAPH.GPC_BROADCAST.CTXCTL", 0x41a000, 0x1000);

    public static final Falcon HUB = new Falcon(HUB_BLOCK, 0x409000);
    public static final Falcon GPC = new Falcon(GPC_BLOCK, 0x41a000);

    /// Size of each falcon's code memory, in falcon pages.
    public static final int CODE_PAGES = 0x40;

    /// Size of each falcon's data memory, in falcon pages.
    public static final int DATA_PAGES = 0x10;

    /// Requests a switch to the next channel when written to [Falcon#intrTrigger()].
    public static final BitField TRIGGER_CHANNEL_SWITCH = bit(8);

    public static final Register WRCMD_DATA = HUB_BLOCK.reg32("WRCMD_DATA", 0x409500);
    public static final Register WRCMD_CMD = HUB_BLOCK.reg32("WRCMD_CMD", 0x409504);

    /// Binds the context in WRCMD_DATA as the current context.
    public static final int COMMAND_BIND = 0x01;

    /// Saves the current context.
    public static final int COMMAND_SAVE = 0x02;

    public static final int COMMAND_STOP_SWITCHING = 0x38;
    public static final int COMMAND_START_SWITCHING = 0x39;

    /// Number of GPCs and raster partitions.
    public static final Register UNITS = HUB_BLOCK.reg32("UNITS", 0x409604);

    public static final BitField UNITS_GPC_COUNT = bits(4, 0);
    public static final BitField UNITS_ROP_COUNT = bits(20, 16);

    /// Power and reset of the units with switched state.
    public static final Register RED_SWITCH = HUB_BLOCK.reg32("RED_SWITCH", 0x409614);

    /// Replies of the hub program: status bits in register 0, a result in register 1.
    public static final RegisterArray CC_SCRATCH = HUB_BLOCK.array("CC_SCRATCH", 0x409800, 4, 8);

    /// Sets bits of the first scratch register when written.
    public static final Register CC_SCRATCH_SET = HUB_BLOCK.reg32("CC_SCRATCH_SET", 0x409820);

    /// Clears bits of the first scratch register when written.
    public static final Register CC_SCRATCH_CLEAR = HUB_BLOCK.reg32("CC_SCRATCH_CLEAR", 0x409840);

    /// Flag in the first scratch register: the program has started, or a command is complete.
    public static final BitField CC_SCRATCH_DONE = bit(31);

    public static final Register CHAN_CUR = HUB_BLOCK.reg32("CHAN_CUR", 0x409b00);
    public static final Register CHAN_NEXT = HUB_BLOCK.reg32("CHAN_NEXT", 0x409b04);
    public static final BitField CHAN_VALID = bit(31);
    public static final BitField CHAN_INSTANCE = bits(27, 0).scaledBy(12);

    public static final Register HUB_INTR = HUB_BLOCK.reg32("INTR_UP", 0x409c18);
    public static final Register HUB_INTR_CLEAR = HUB_BLOCK.reg32("INTR_UP_CLEAR", 0x409c20);
    public static final Register HUB_INTR_ENABLE = HUB_BLOCK.reg32("INTR_UP_ENABLE", 0x409c24);

    private Ctxctl() {}
}
