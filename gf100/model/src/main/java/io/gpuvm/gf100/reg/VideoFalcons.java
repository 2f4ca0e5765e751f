package io.gpuvm.gf100.reg;

/// Falcons of the three video decoding engines: PVLD (bit streams), PPDEC (pictures), PPPP
/// (post-processing). nouveau calls them MSVLD, MSPDEC and MSPPP.
///
/// Sources: envytools `rnndb/vdec/vp3`; nouveau `nvkm/engine/{msvld,mspdec,msppp}/gf100.c`.
public final class VideoFalcons {
    static final RegisterBlock PVLD_BLOCK = new RegisterBlock("PVLD", 0x084000, 0x1000);
    static final RegisterBlock PPDEC_BLOCK = new RegisterBlock("PPDEC", 0x085000, 0x1000);
    static final RegisterBlock PPPP_BLOCK = new RegisterBlock("PPPP", 0x086000, 0x1000);

    public static final Falcon PVLD = new Falcon(PVLD_BLOCK, 0x084000);
    public static final Falcon PPDEC = new Falcon(PPDEC_BLOCK, 0x085000);
    public static final Falcon PPPP = new Falcon(PPPP_BLOCK, 0x086000);

    private VideoFalcons() {}
}
