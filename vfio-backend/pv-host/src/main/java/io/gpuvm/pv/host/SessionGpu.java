package io.gpuvm.pv.host;

/// GPU of one session, for the session's front end. Confined to the poller's thread.
public final class SessionGpu {
    SessionGpu() {}

    /// Returns whether the session may take another entry in this turn: page-table entries and
    /// objects of earlier entries have not used up the budget of the virtual machine's turn.
    public boolean isTurnLeft() {
        return true;
    }
}
