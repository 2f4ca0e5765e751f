package io.gpuvm.pv.protocol;

/// Handles of a guest's objects: 32 bits that only the host interprets. A handle of one guest is
/// meaningless to another guest's session.
public final class Handle {
    /// Never the handle of an object.
    public static final int NONE = 0;

    /// Handle of the guest's data area, in place of a handle of memory.
    public static final int DATA_AREA = -1;

    private Handle() {}
}
