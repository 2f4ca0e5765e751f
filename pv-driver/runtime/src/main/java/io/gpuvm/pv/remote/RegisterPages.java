package io.gpuvm.pv.remote;

/// Registers of all sessions of a backend's PCI function
/// ([io.gpuvm.pv.protocol.FunctionRegisters]). Any thread.
interface RegisterPages {
    /// Returns the number of sessions, at least 1.
    int sessions();

    /// Reads a register of a session; returns all ones if the function is gone.
    int read(int session, int register);

    /// Writes a register of a session.
    void write(int session, int register, int value);
}
