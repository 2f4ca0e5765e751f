package io.gpuvm.gf100.memory;

/// The host memory that a GPU may reach, by address on its bus.
@FunctionalInterface
public interface BusMemory {
    /// Finds the memory behind an address.
    ///
    /// @param iova unsigned
    /// @param span is told
    /// @return whether there is memory
    boolean locate(long iova, HostSpan span);
}
