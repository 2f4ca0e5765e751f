package io.gpuvm.pv.remote;

import io.gpuvm.linux.MappedMemory;

/// A program's access to its session of the backend's PCI function: the session's registers
/// ([io.gpuvm.pv.protocol.FunctionRegisters]) and area. Any thread.
public interface MappedFunction extends AutoCloseable {
    /// Reads a register; returns all ones if the function is gone.
    int read(int register);

    /// Writes a register.
    void write(int register, int value);

    /// Maps a part of the session's area.
    ///
    /// @param offset offset in the area, a multiple of 4 KiB
    /// @param bytes length, a multiple of 4 KiB
    /// @throws io.gpuvm.linux.LinuxException if Linux refuses the mapping
    MappedMemory map(long offset, long bytes);

    /// Releases the function. Mappings of the area remain valid.
    @Override
    void close();
}
