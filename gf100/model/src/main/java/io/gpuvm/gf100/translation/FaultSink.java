package io.gpuvm.gf100.translation;

/// Receiver of reports of accesses that the page tables refuse.
@FunctionalInterface
public interface FaultSink {
    /// Reports one fault.
    ///
    /// @param unit number of the MMU client unit (`rnndb/fifo/gf100_pfifo.xml`)
    /// @param instanceAddress address of the address space's instance block, in bytes
    /// @param gpuVa accessed address
    /// @param status reason, client and direction, in the format of
    ///   [io.gpuvm.gf100.mmu.FaultStatus]
    void report(int unit, long instanceAddress, long gpuVa, int status);
}
