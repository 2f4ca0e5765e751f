package io.gpuvm.gf100.reg;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

/// PGRAPH's hub: interrupts, traps, status, and the ports through which a driver initializes the
/// pipeline. [PgraphState] contains the remaining registers, which only store values.
///
/// Sources: envytools `rnndb/graph/gf100_pgraph/pgraph.xml`; nouveau `nvkm/engine/gr/gf100.c`,
/// `ctxgf100.c`.
public final class Pgraph {
    static final RegisterBlock BLOCK = new RegisterBlock("PGRAPH", 0x400000, 0x9000);

    public static final Register UNK054 = BLOCK.reg32("UNK054", 0x400054);
    public static final RegisterRange UNK080 = BLOCK.range("UNK080", 0x400080, 0x400094);

    public static final Register INTR = BLOCK.reg32("INTR", 0x400100);
    public static final BitField INTR_NOTIFY = bit(0);
    public static final BitField INTR_ILLEGAL_METHOD = bit(4);
    public static final BitField INTR_ILLEGAL_CLASS = bit(5);
    public static final BitField INTR_CTXCTL = bit(19);
    public static final BitField INTR_DATA_ERROR = bit(20);
    public static final BitField INTR_TRAP = bit(21);

    /// Units that trapped.
    public static final Register TRAP = BLOCK.reg32("TRAP", 0x400108);

    public static final BitField TRAP_GPC = bit(24);

    public static final Register DATA_ERROR = BLOCK.reg32("DATA_ERROR", 0x400110);

    /// GPCs that trapped, one bit each: see [PgraphTraps].
    public static final Register TRAP_GPCS = BLOCK.reg32("TRAP_GPCS", 0x400118);

    public static final Register TRAP_ROPS = BLOCK.reg32("TRAP_ROPS", 0x40011c);
    public static final Register INTR_EN_NRHOST = BLOCK.reg32("INTR_EN_NRHOST", 0x400124);
    public static final Register TRAP_GPCS_EN = BLOCK.reg32("TRAP_GPCS_EN", 0x400130);
    public static final Register TRAP_ROPS_EN = BLOCK.reg32("TRAP_ROPS_EN", 0x400134);
    public static final Register TRAP_EN = BLOCK.reg32("TRAP_EN", 0x400138);
    public static final Register INTR_EN = BLOCK.reg32("INTR_EN", 0x40013c);
    public static final RegisterRange INTR_CTXCTL_DOWN =
            BLOCK.range("INTR_CTXCTL_DOWN", 0x400140, 0x40014c);

    /// Port for values of the initial pipeline state: index, value, and mode.
    public static final Register ICMD_CMD = BLOCK.reg32("ICMD_CMD", 0x400200);

    public static final Register ICMD_DATA = BLOCK.reg32("ICMD_DATA", 0x400204);
    public static final Register ICMD_MODE = BLOCK.reg32("ICMD_MODE", 0x400208);

    public static final Register FIFO_CONTROL = BLOCK.reg32("FIFO.CONTROL", 0x400500);
    public static final Register FE_STATUS = BLOCK.reg32("FE_STATUS", 0x40060c);
    public static final Register STATUS = BLOCK.reg32("STATUS", 0x400700);

    /// Refused method.
    public static final Register TRAPPED_ADDR = BLOCK.reg32("TRAPPED_ADDR", 0x400704);

    public static final BitField TRAPPED_ADDR_SUBCHANNEL = bits(18, 16);
    public static final BitField TRAPPED_ADDR_METHOD = bits(13, 2).scaledBy(2);
    public static final Register TRAPPED_DATA = BLOCK.reg32("TRAPPED_DATA", 0x400708);

    /// State of the method decoder that a driver writes and polls.
    public static final Register DISPATCH_UNK170 = BLOCK.reg32("DISPATCH.UNK170", 0x404170);

    public static final BitField DISPATCH_UNK170_BUSY = bit(4);

    /// Class bound to a subchannel, by subchannel.
    public static final RegisterArray CTX_CACHE = BLOCK.array("DISPATCH.CTX_CACHE", 0x404200, 4, 8);

    /// Port for initial method values of each class: index, value.
    public static final Register MACRO_MCACHE_CTRL = BLOCK.reg32("MACRO.MCACHE_CTRL", 0x404488);

    public static final Register MACRO_MCACHE_DATA = BLOCK.reg32("MACRO.MCACHE_DATA", 0x40448c);

    private Pgraph() {}
}
