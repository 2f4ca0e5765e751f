package io.gpuvm.gf100.translation;

/// Takes the reports of accesses that the page tables refuse.
@FunctionalInterface
public interface FaultSink {
    /// Reports one fault.
    ///
    /// @param unit number of the MMU client unit (`rnndb/fifo/gf100_pfifo.xml`)
    /// @param instanceAddress instance block of the address space, in bytes
    /// @param gpuVa address that was accessed
    /// @param status reason, client and direction, as the fault status register holds them
    void report(int unit, long instanceAddress, long gpuVa, int status);
}
