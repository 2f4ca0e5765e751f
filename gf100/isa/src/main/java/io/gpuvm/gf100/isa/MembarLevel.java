package io.gpuvm.gf100.isa;

/// Who sees earlier accesses before later ones; the code is the ordinal.
public enum MembarLevel {
    /// The block.
    CTA,
    /// The GPU.
    GL,
    /// Everybody.
    SYS;

    private static final MembarLevel[] ALL = values();

    /// The one with that code; codes above the last are a programming error.
    public static MembarLevel of(int code) {
        return ALL[code];
    }
}
