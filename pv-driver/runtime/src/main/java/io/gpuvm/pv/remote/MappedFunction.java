package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;

/// A program's access to the backend's PCI function: registers
/// ([io.gpuvm.pv.protocol.FunctionRegisters]) and shared area. Any thread.
public interface MappedFunction extends AutoCloseable {
    /// Reads a register; returns all ones if the function is gone.
    int read(int register);

    /// Writes a register.
    void write(int register, int value);

    /// Maps a part of the BAR that contains the shared area.
    ///
    /// @param offset offset in the BAR, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @throws io.gpuvm.linux.LinuxException if Linux refuses the mapping
    MappedMemory map(long offset, long bytes);

    /// Releases the function. Mappings of the area remain valid.
    @Override
    void close();
}
