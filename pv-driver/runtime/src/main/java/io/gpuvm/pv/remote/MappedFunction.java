package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;

/// How a program reaches the backend's PCI function: its registers
/// ([io.gpuvm.pv.protocol.FunctionRegisters]) and its shared area. Any thread.
public interface MappedFunction extends AutoCloseable {
    /// Reads a register; all ones if the function is gone.
    int read(int register);

    /// Writes a register.
    void write(int register, int value);

    /// Maps a part of the BAR that has the shared area.
    ///
    /// @param offset from its start, a multiple of 4 KiB
    /// @param bytes a multiple of 4 KiB
    /// @throws io.gpuvm.linux.LinuxException if the kernel refuses
    MappedMemory map(long offset, long bytes);

    /// Lets go of the function. What was mapped of the area stays.
    @Override
    void close();
}
