package io.gpuvm.gf100.memory;

/// Host memory that a GPU may access, by bus address.
@FunctionalInterface
public interface BusMemory {
    /// Finds the memory behind an address.
    ///
    /// @param iova bus address, unsigned
    /// @param span receives the memory
    /// @return whether the address has memory
    boolean locate(long iova, HostSpan span);
}
