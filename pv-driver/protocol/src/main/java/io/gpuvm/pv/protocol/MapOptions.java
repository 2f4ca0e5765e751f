package io.gpuvm.pv.protocol;

/// Options of a mapping: bits for [MapCommand], [MapStridedCommand] and [MapListCommand].
public final class MapOptions {
    /// Pages of 128 KiB where addresses and lengths are multiples of 128 KiB, otherwise pages of 4
    /// KiB.
    public static final int AUTO = 0;

    /// Pages of 4 KiB.
    public static final int SMALL = 1;

    /// Pages of 128 KiB; all addresses and lengths must be multiples of 128 KiB.
    public static final int BIG = 2;

    /// Mask of [#AUTO], [#SMALL] and [#BIG].
    public static final int PAGES = 3;

    /// Read-only mapping: the GPU cannot write to it.
    public static final int READ_ONLY = 1 << 2;

    /// All defined bits.
    public static final int ALL = PAGES | READ_ONLY;

    private MapOptions() {}
}
