package io.gpuvm.pv.protocol;

/// Handles of a guest's objects: 32-bit values that only the host interprets. A handle is valid
/// only in the session that created it.
public final class Handle {
    /// Value that is never the handle of an object.
    public static final int NONE = 0;

    /// Handle of the guest's data area, valid where a command expects a handle of memory.
    public static final int DATA_AREA = -1;

    private Handle() {}
}
