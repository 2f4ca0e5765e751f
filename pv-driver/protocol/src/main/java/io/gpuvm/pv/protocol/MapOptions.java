package io.gpuvm.pv.protocol;

/// How memory is mapped: bits of the options of [MapCommand] and its kin.
public final class MapOptions {
    /// Pages of 128 KiB where addresses and lengths allow it, else of 4 KiB.
    public static final int AUTO = 0;

    /// Pages of 4 KiB.
    public static final int SMALL = 1;

    /// Pages of 128 KiB; everything must be aligned to them.
    public static final int BIG = 2;

    /// The bits that choose between the above.
    public static final int PAGES = 3;

    /// The GPU must not write there.
    public static final int READ_ONLY = 1 << 2;

    /// All bits that there are.
    public static final int ALL = PAGES | READ_ONLY;

    private MapOptions() {}
}
