package io.gpuvm.gf100.unit;

import io.gpuvm.gf100.device.Bar;
import io.gpuvm.gf100.device.PciIdentity;
import io.gpuvm.gf100.device.Quadro6000;
import io.gpuvm.gf100.reg.Register;
import io.gpuvm.gf100.vbios.VbiosImage;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/// Units of a GF100 that are present on one board. Several registers report each of these numbers
/// to a driver and must agree.
///
/// @param partitions number of memory partitions (FBP), each with a part of VRAM, of the L2 cache
///   and of the raster units
/// @param partitionMib size of the VRAM in each partition, in MiB
/// @param tpcsPerGpc number of TPCs in each GPC
/// @param copyEngines whether the copy engines exist; false if they are fused off
/// @param display whether the display unit exists; false if it is fused off
public record Board(
        int partitions,
        int partitionMib,
        List<Integer> tpcsPerGpc,
        boolean copyEngines,
        boolean display) {
    /// Number of GPCs on the largest chip.
    public static final int MAX_GPCS = 4;

    /// Number of TPCs in a GPC of the largest chip.
    public static final int MAX_TPCS_PER_GPC = 4;

    /// Number of memory partitions on the largest chip.
    public static final int MAX_PARTITIONS = 6;

    /// Smallest VRAM in MiB with which nouveau starts: it reserves a part at each end, and needs
    /// the remainder for page tables and contexts.
    public static final int MIN_VRAM_MIB = 64;

    /// VRAM of the largest board, in MiB: six partitions of 1 GiB.
    public static final int MAX_VRAM_MIB = 6144;

    private static final int MIB_SHIFT = 20;
    private static final long BAR5_BYTES = 128;

    /// Total numbers of TPCs for which nouveau has a table that distributes work over the TPCs
    /// (`nvkm/engine/gr/ctxgf100.c`); for other totals, nouveau logs a warning at each start.
    private static final List<Integer> USABLE_TPC_TOTALS = List.of(1, 2, 4, 7, 8, 11, 14, 15, 16);

    public Board {
        tpcsPerGpc = List.copyOf(tpcsPerGpc);
        checkShape(tpcsPerGpc);
        if (partitions < 1 || partitions > MAX_PARTITIONS || partitionMib < 1) {
            throw new IllegalArgumentException(
                    "partitions=%d, partitionMib=%d, expected 1 to %d partitions of at least 1 MiB"
                            .formatted(partitions, partitionMib, MAX_PARTITIONS));
        }
    }

    /// Returns a board with `vramMib` of VRAM in as many equal partitions as possible: six for a
    /// multiple of 6 MiB, one for a prime number.
    ///
    /// With unequal partitions, a driver stripes only the size of the smallest partition over all
    /// partitions, and expects the remainder at far higher addresses (nouveau
    /// `nvkm/subdev/fb/ramgf100.c`). With equal partitions, VRAM is one range from 0, for any
    /// number of MiB.
    public static Board of(
            int vramMib, List<Integer> tpcsPerGpc, boolean copyEngines, boolean display) {
        int partitions = MAX_PARTITIONS;
        while (vramMib % partitions != 0) {
            partitions--;
        }
        return new Board(partitions, vramMib / partitions, tpcsPerGpc, copyEngines, display);
    }

    /// Converts bytes of VRAM to MiB, the unit of memory controllers.
    ///
    /// @throws IllegalArgumentException if the result is not a whole number from [#MIN_VRAM_MIB] to
    ///   [#MAX_VRAM_MIB]
    public static int mibOf(long vramBytes) {
        long mib = vramBytes >> MIB_SHIFT;
        if (mib << MIB_SHIFT != vramBytes) {
            throw new IllegalArgumentException(
                    "vram=%d bytes, expected a multiple of %d"
                            .formatted(vramBytes, 1L << MIB_SHIFT));
        }
        if (mib < MIN_VRAM_MIB || mib > MAX_VRAM_MIB) {
            throw new IllegalArgumentException(
                    "vram=%d bytes, expected %d to %d"
                            .formatted(
                                    vramBytes,
                                    (long) MIN_VRAM_MIB << MIB_SHIFT,
                                    (long) MAX_VRAM_MIB << MIB_SHIFT));
        }
        return (int) mib;
    }

    /// Checks that a board can have the given numbers of TPCs.
    ///
    /// @throws IllegalArgumentException if a board cannot have these numbers; the message contains
    ///   the value and the limit
    public static void checkShape(List<Integer> tpcsPerGpc) {
        boolean fits =
                !tpcsPerGpc.isEmpty()
                        && tpcsPerGpc.size() <= MAX_GPCS
                        && Collections.min(tpcsPerGpc) >= 1
                        && Collections.max(tpcsPerGpc) <= MAX_TPCS_PER_GPC;
        if (!fits) {
            throw new IllegalArgumentException(
                    "gpcs=%s, expected 1 to %d GPCs of 1 to %d TPCs"
                            .formatted(tpcsPerGpc, MAX_GPCS, MAX_TPCS_PER_GPC));
        }
        int total = tpcsPerGpc.stream().mapToInt(Integer::intValue).sum();
        if (!USABLE_TPC_TOTALS.contains(total)) {
            throw new IllegalArgumentException(
                    "gpcs=%s: tpcs=%d, expected one of %s"
                            .formatted(tpcsPerGpc, total, USABLE_TPC_TOTALS));
        }
    }

    /// Returns the number of GPCs.
    public int gpcs() {
        return tpcsPerGpc.size();
    }

    /// Returns the board's identity on the PCI bus.
    ///
    /// @param bar1Bytes size of BAR1, a power of two
    /// @param bar3Bytes size of BAR3, a power of two
    public static PciIdentity identity(long bar1Bytes, long bar3Bytes) {
        return new PciIdentity(
                Quadro6000.VENDOR,
                Quadro6000.DEVICE,
                Quadro6000.REVISION,
                Quadro6000.CLASS_CODE,
                Quadro6000.SUBSYSTEM_VENDOR,
                Quadro6000.SUBSYSTEM,
                Map.of(
                        Bar.BAR0, (long) Register.SPACE_BYTES,
                        Bar.BAR1, bar1Bytes,
                        Bar.BAR3, bar3Bytes,
                        Bar.BAR5, BAR5_BYTES,
                        Bar.ROM, (long) VbiosImage.BYTES));
    }
}
