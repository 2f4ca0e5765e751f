package io.gpuvm.pv.nouveau;

import io.gpuvm.gf100.reg.BitField;

/// Value of `NOUVEAU_GETPARAM_GRAPH_UNITS` (`gf100_gr_units` of nouveau's `gf100.c`).
final class Units {
    /// Number of texture processing clusters, each of which has one multiprocessor on Fermi.
    private static final BitField TPCS = BitField.bits(31, 8);

    private Units() {}

    static int multiprocessors(long value) {
        return TPCS.get((int) value);
    }
}
