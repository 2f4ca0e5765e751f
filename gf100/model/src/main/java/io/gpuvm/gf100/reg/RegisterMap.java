package io.gpuvm.gf100.reg;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// All registers that this package defines, by offset. It maps offsets to names for logs, and
/// refuses a second definition of an offset.
///
/// Immutable. Not for hot paths.
public final class RegisterMap {
    private static final RegisterMap GF100 = new RegisterMap(blocks());

    private record Part(String name, int first, int end) {}

    private final Map<Integer, String> names = new HashMap<>();

    /// Runs and units, narrowest first, for offsets without a name.
    private final List<Part> parts = new ArrayList<>();

    RegisterMap(List<RegisterBlock> blocks) {
        for (RegisterBlock block : blocks) {
            block.registers().forEach(this::add);
            block.ranges().forEach(r -> parts.add(new Part(r.name(), r.first(), r.end())));
            parts.add(new Part(block.name(), block.first(), block.end()));
        }
        parts.sort(Comparator.comparingInt(part -> part.end - part.first));
    }

    /// Returns the registers of a GF100.
    public static RegisterMap gf100() {
        return GF100;
    }

    /// Returns a name for any offset in BAR0: `PMC.ENABLE`, `PFIFO.CHANNEL[3]`; `PNVIO+0x104` for
    /// an undefined offset inside a known unit; `+0x1234` for an offset outside all units.
    ///
    /// @param offset byte offset in BAR0
    public String nameOf(int offset) {
        int word = offset & -Register.BYTES;
        String name = names.get(word);
        if (name != null) {
            return name;
        }
        for (Part part : parts) {
            if (word >= part.first && word < part.end) {
                return "%s+%#x".formatted(part.name, word - part.first);
            }
        }
        return "+%#x".formatted(word);
    }

    /// Returns the byte offsets of all defined registers, in ascending order.
    public int[] definedOffsets() {
        return names.keySet().stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    private void add(RegisterArray array) {
        for (int i = 0; i < array.count(); i++) {
            String name = array.count() == 1 ? array.name() : array.name() + '[' + i + ']';
            String other = names.put(array.at(i), name);
            if (other != null) {
                throw new IllegalStateException(
                        "offset=%#x has two definitions: %s and %s"
                                .formatted(array.at(i), other, name));
            }
        }
    }

    private static List<RegisterBlock> blocks() {
        return List.of(
                Pmc.BLOCK,
                Pbus.BLOCK,
                BusFault.BLOCK,
                Ptimer.BLOCK,
                Pnvio.BLOCK,
                Pfifo.BLOCK,
                Pbdma.BLOCK,
                Ptherm.BLOCK,
                Pfuse.BLOCK,
                Punits.BLOCK,
                PfifoFlush.BLOCK,
                VideoFalcons.PVLD_BLOCK,
                VideoFalcons.PPDEC_BLOCK,
                VideoFalcons.PPPP_BLOCK,
                Ppci.BLOCK,
                Pffb.BLOCK,
                Pstraps.BLOCK,
                Pcopy.BLOCK_0,
                Pcopy.BLOCK_1,
                Pmu.BLOCK,
                Pbfb.BROADCAST,
                Pbfb.BLOCK,
                Pibus.BLOCK,
                Pclock.BLOCK,
                Pmfb.BLOCK,
                Pmfb.BROADCAST,
                Pgraph.BLOCK,
                PgraphState.block(),
                Ctxctl.HUB_BLOCK,
                Ctxctl.GPC_BLOCK,
                Pdisplay.VGA_BLOCK,
                Pdisplay.BLOCK,
                Pdisplay.USER_BLOCK);
    }
}
