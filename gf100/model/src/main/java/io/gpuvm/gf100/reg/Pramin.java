package io.gpuvm.gf100.reg;

/// PRAMIN: a 1 MiB window to VRAM in BAR0, at the offset in [Pbus#PMEM].
///
/// Source: nouveau `nvkm/subdev/instmem/nv50.c`.
public final class Pramin {
    public static final RegisterRange WINDOW = new RegisterRange("PRAMIN", 0x700000, 0x800000);

    private Pramin() {}
}
