package io.gpuvm.pv.protocol;

/// Names of what a guest has: 32 bits that mean something to the host only. No handle of one guest
/// means anything to another's.
public final class Handle {
    /// Never the name of anything.
    public static final int NONE = 0;

    /// In the place of a memory's handle: the guest's own data area.
    public static final int DATA_AREA = -1;

    private Handle() {}
}
