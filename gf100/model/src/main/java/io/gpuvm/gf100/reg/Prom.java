package io.gpuvm.gf100.reg;

/// PROM: the VBIOS image in BAR0.
///
/// Source: nouveau `nvkm/subdev/bios/shadowrom.c`.
public final class Prom {
    /// Range of the largest image; gpuvm's image is shorter.
    public static final RegisterRange WINDOW = new RegisterRange("PROM", 0x300000, 0x400000);

    private Prom() {}
}
