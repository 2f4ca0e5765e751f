package io.gpuvm.gf100.reg;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Registers of the graphics pipeline that only hold hardware state. A driver initializes them, the
/// hardware's context switch saves and restores them, and no implemented class reads them.
///
/// The runs are exactly those of nouveau's lists for this chip. Every register of a GPC and of a
/// TPC exists once in each unit and once at an address that writes to all units. In this model,
/// these addresses are independent storage, because no driver writes a register at one address and
/// reads the register at another.
///
/// Sources: envytools `rnndb/graph/gf100_pgraph/{pgraph,gpc,tpc,rop}.xml` (names, positions);
/// nouveau `nvkm/engine/gr/gf100.c`, `ctxgf100.c` (written registers).
public final class PgraphState {
    /// Run of registers in a part of the pipeline.
    private record Run(String part, int first, int end) {}

    private static final int PGRAPH = 0x400000;
    private static final int PGRAPH_BYTES = 0x200000;
    private static final int GPC_BROADCAST = 0x418000;
    private static final int TPC_BROADCAST = 0x419800;
    private static final int GPC = 0x500000;
    private static final int GPC_STRIDE = 0x8000;
    static final int GPCS = 4;

    /// Offset of the TPCs in a GPC.
    private static final int TPC = 0x4000;

    private static final int TPC_STRIDE = 0x800;
    static final int TPCS = 4;
    private static final int ROP = 0x410000;
    private static final int ROP_STRIDE = 0x400;
    private static final int ROPS = 6;

    private static final Run[] HUB_RUNS = {
        new Run("DISPATCH", 0x404000, 0x404030),
        new Run("DISPATCH", 0x404044, 0x404048),
        new Run("DISPATCH", 0x404094, 0x4040cc),
        new Run("DISPATCH", 0x4040d0, 0x4040ec),
        new Run("DISPATCH", 0x4040f0, 0x4040f4),
        new Run("DISPATCH", 0x4040f8, 0x4040fc),
        new Run("DISPATCH", 0x404130, 0x40413c),
        new Run("DISPATCH", 0x404150, 0x40415c),
        new Run("DISPATCH", 0x40415c, 0x404160),
        new Run("DISPATCH", 0x404164, 0x40416c),
        new Run("DISPATCH", 0x404174, 0x404180),
        new Run("MACRO", 0x404404, 0x40443c),
        new Run("MACRO", 0x404460, 0x404470),
        new Run("MACRO", 0x404480, 0x404484),
        new Run("MACRO", 0x404490, 0x404494),
        new Run("MACRO", 0x404498, 0x40449c),
        new Run("M2MF", 0x404600, 0x404614),
        new Run("M2MF", 0x404618, 0x4046ec),
        new Run("M2MF", 0x4046f0, 0x4046f8),
        new Run("UNK4700", 0x404700, 0x404758),
        new Run("UNK5800", 0x405800, 0x405828),
        new Run("UNK5800", 0x405830, 0x40583c),
        new Run("UNK5800", 0x405840, 0x405848),
        new Run("UNK5800", 0x405850, 0x405858),
        new Run("UNK5800", 0x405870, 0x405880),
        new Run("UNK5900", 0x405908, 0x40590c),
        new Run("UNK5A00", 0x405a00, 0x405a08),
        new Run("UNK5A00", 0x405a18, 0x405a1c),
        new Run("UNK6000", 0x406018, 0x406038),
        new Run("UNK6000", 0x4060a8, 0x4060b8),
        new Run("UNK6000", 0x4064a8, 0x4064b0),
        new Run("UNK6000", 0x4064b4, 0x4064bc),
        new Run("TPBUS", 0x407804, 0x407824),
        new Run("TPBUS", 0x4078bc, 0x4078c0),
        new Run("CCACHE", 0x408000, 0x40801c),
        new Run("CCACHE", 0x40802c, 0x408034),
        new Run("CCACHE", 0x40803c, 0x408040),
        new Run("CCACHE", 0x408064, 0x408068),
        new Run("ROP_BROADCAST", 0x408800, 0x408810),
        new Run("ROP_BROADCAST", 0x408900, 0x40890c),
        new Run("ROP_BROADCAST", 0x408910, 0x408934),
        new Run("ROP_BROADCAST", 0x408950, 0x408958),
        new Run("ROP_BROADCAST", 0x408980, 0x408990)
    };

    /// Distribution of work over TPCs: for each number of TPCs in use, the set of TPCs.
    private static final RegisterArray[] SPREADS = {
        new RegisterArray("PGRAPH.TPGRAD.ALPHA", 0x406800, 0x20, 32),
        new RegisterArray("PGRAPH.TPGRAD.BETA", 0x406c00, 0x20, 32),
    };

    private static final Run[] ROP_RUNS = {
        new Run("ZROP", 0x070, 0x074),
        new Run("CROP", 0x144, 0x148),
        new Run("UNK200", 0x204, 0x20c)
    };

    private static final Run[] GPC_RUNS = {
        new Run("UNK380", 0x0380, 0x0388),
        new Run("PROP", 0x0400, 0x0418),
        new Run("PROP", 0x0420, 0x0424),
        new Run("PROP", 0x0450, 0x0474),
        new Run("PROP", 0x04a0, 0x04a4),
        new Run("UNK600", 0x0600, 0x0608),
        new Run("UNK680", 0x0680, 0x0688),
        new Run("UNK700", 0x0700, 0x0718),
        new Run("ESETUP", 0x0800, 0x0804),
        new Run("ESETUP", 0x0808, 0x0820),
        new Run("ESETUP", 0x0824, 0x082c),
        new Run("ESETUP", 0x0830, 0x0834),
        new Run("ESETUP", 0x0880, 0x0884),
        new Run("ESETUP", 0x0888, 0x0898),
        new Run("ESETUP", 0x08a4, 0x08a8),
        new Run("FFB", 0x08ac, 0x08b0),
        new Run("FFB", 0x08b4, 0x08bc),
        new Run("FFB", 0x08c8, 0x08dc),
        new Run("FFB", 0x08e0, 0x08e4),
        new Run("FFB", 0x08e8, 0x0900),
        new Run("ZCULL", 0x0900, 0x0904),
        new Run("ZCULL", 0x0910, 0x0920),
        new Run("ZCULL", 0x0924, 0x0930),
        new Run("ZCULL", 0x0980, 0x0990),
        new Run("UNKA00", 0x0a00, 0x0a1c),
        new Run("UNKA00", 0x0a20, 0x0a3c),
        new Run("UNKA00", 0x0a40, 0x0a5c),
        new Run("UNKA00", 0x0a60, 0x0a7c),
        new Run("UNKA00", 0x0a80, 0x0a9c),
        new Run("UNKA00", 0x0aa0, 0x0abc),
        new Run("UNKA00", 0x0ac0, 0x0adc),
        new Run("UNKA00", 0x0ae0, 0x0afc),
        new Run("TPBUS", 0x0b00, 0x0b20),
        new Run("TPBUS", 0x0bb8, 0x0bbc),
        new Run("TPCONF", 0x0c04, 0x0c0c),
        new Run("TPCONF", 0x0c10, 0x0c30),
        new Run("UNKC80", 0x0c80, 0x0c84),
        new Run("UNKC80", 0x0c88, 0x0c90),
        new Run("UNKD00", 0x0d00, 0x0d04),
        new Run("UNKE00", 0x0e00, 0x0e04),
        new Run("UNKE00", 0x0e08, 0x0e0c),
        new Run("UNKF00", 0x0f08, 0x0f0c),
        new Run("CCACHE", 0x1000, 0x1010),
        new Run("CCACHE", 0x1014, 0x101c),
        new Run("CCACHE", 0x1028, 0x102c),
        new Run("CTXCTL", 0x2c90, 0x2c98)
    };

    private static final Run[] TPC_RUNS = {
        new Run("POLY", 0x000c, 0x001c),
        new Run("POLY", 0x003c, 0x0040),
        new Run("POLY", 0x0044, 0x0060),
        new Run("POLY", 0x0064, 0x0068),
        new Run("POLY", 0x0080, 0x008c),
        new Run("TEX", 0x0200, 0x0218),
        new Run("TEX", 0x0224, 0x0228),
        new Run("TEX", 0x02b0, 0x02b4),
        new Run("TEX", 0x02b8, 0x02c4),
        new Run("TPBUS", 0x0300, 0x0318),
        new Run("TPBUS", 0x03d0, 0x03d8),
        new Run("TPBUS", 0x03dc, 0x03e8),
        new Run("UNK400", 0x0400, 0x0410),
        new Run("UNK400", 0x0420, 0x0424),
        new Run("L1", 0x048c, 0x0490),
        new Run("L1", 0x0498, 0x049c),
        new Run("L1", 0x04a8, 0x04ac),
        new Run("L1", 0x04b0, 0x04c8),
        new Run("L1", 0x04e8, 0x04ec),
        new Run("L1", 0x04f4, 0x04f8),
        new Run("MASTER", 0x0508, 0x0514),
        new Run("MASTER", 0x0520, 0x0528),
        new Run("MASTER", 0x052c, 0x0530),
        new Run("MP", 0x0600, 0x0614),
        new Run("MP", 0x0644, 0x0694),
        new Run("MP", 0x0698, 0x069c),
        new Run("MP", 0x06a0, 0x06c4),
        new Run("MP", 0x06c8, 0x06cc),
        new Run("MP", 0x06d0, 0x06d8),
        new Run("MP", 0x06dc, 0x06e0),
        new Run("MP", 0x0700, 0x0704),
        new Run("MP", 0x072c, 0x0730),
        new Run("MP", 0x0750, 0x0758)
    };

    private PgraphState() {}

    /// Returns the hub's runs.
    public static List<RegisterRange> hub() {
        List<RegisterRange> ranges = new ArrayList<>();
        place(ranges, "PGRAPH.", 0, HUB_RUNS);
        return ranges;
    }

    /// Returns the registers for the distribution of work over TPCs.
    public static List<RegisterArray> spreads() {
        return List.of(SPREADS);
    }

    /// Returns the runs of the raster units of one memory partition.
    public static List<RegisterRange> rop(int partition) {
        List<RegisterRange> ranges = new ArrayList<>();
        int base = ROP + ROP_STRIDE * Objects.checkIndex(partition, ROPS);
        place(ranges, "PGRAPH.ROP[%d].".formatted(partition), base, ROP_RUNS);
        return ranges;
    }

    /// Returns the runs that address all GPCs and all TPCs.
    public static List<RegisterRange> broadcast() {
        List<RegisterRange> ranges = new ArrayList<>();
        place(ranges, "PGRAPH.GPC_BROADCAST.", GPC_BROADCAST, GPC_RUNS);
        place(ranges, "PGRAPH.GPC_BROADCAST.TPC_ALL.", TPC_BROADCAST, TPC_RUNS);
        return ranges;
    }

    /// Returns the runs of one GPC, without its TPCs.
    public static List<RegisterRange> gpc(int gpc) {
        List<RegisterRange> ranges = new ArrayList<>();
        place(ranges, "PGRAPH.GPC[%d].".formatted(gpc), gpcBase(gpc), GPC_RUNS);
        return ranges;
    }

    /// Returns the runs of one TPC.
    public static List<RegisterRange> tpc(int gpc, int tpc) {
        List<RegisterRange> ranges = new ArrayList<>();
        int base = tpcBase(gpc, tpc);
        place(ranges, "PGRAPH.GPC[%d].TPC[%d].".formatted(gpc, tpc), base, TPC_RUNS);
        return ranges;
    }

    /// Returns the registers that contain each GPC's number of TPCs, `PGRAPH.GPC[i].CTXCTL.UNITS`.
    public static RegisterArray gpcUnits() {
        return new RegisterArray("PGRAPH.GPC.CTXCTL.UNITS", GPC + 0x2608, GPC_STRIDE, GPCS);
    }

    /// Returns all registers of the largest chip, for [RegisterMap].
    static RegisterBlock block() {
        RegisterBlock block = new RegisterBlock("PGRAPH", PGRAPH, PGRAPH_BYTES);
        block.include(gpcUnits());
        spreads().forEach(block::include);
        hub().forEach(block::include);
        broadcast().forEach(block::include);
        for (int partition = 0; partition < ROPS; partition++) {
            rop(partition).forEach(block::include);
        }
        for (int gpc = 0; gpc < GPCS; gpc++) {
            gpc(gpc).forEach(block::include);
            for (int tpc = 0; tpc < TPCS; tpc++) {
                tpc(gpc, tpc).forEach(block::include);
            }
        }
        return block;
    }

    static int gpcBase(int gpc) {
        return GPC + GPC_STRIDE * Objects.checkIndex(gpc, GPCS);
    }

    static int tpcBase(int gpc, int tpc) {
        return gpcBase(gpc) + TPC + TPC_STRIDE * Objects.checkIndex(tpc, TPCS);
    }

    private static void place(List<RegisterRange> to, String prefix, int base, Run[] runs) {
        for (Run run : runs) {
            to.add(new RegisterRange(prefix + run.part, base + run.first, base + run.end));
        }
    }
}
