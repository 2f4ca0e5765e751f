package io.gpuvm.tests.conformance;

import io.gpuvm.gf100.mmu.FaultReason;
import io.gpuvm.gf100.mmu.FaultStatus;
import io.gpuvm.gf100.mmu.FaultUnit;
import io.gpuvm.gf100.reg.Pfifo;

/// PFIFO's report of a refused access.
///
/// @param instance physical address of the instance block, rounded down to a page boundary
/// @param gpuVa address of the access
/// @param reason code of a [FaultReason]
/// @param write whether the access was a write
record FaultReport(long instance, long gpuVa, int reason, boolean write) {
    /// Waits for the report of a unit.
    static FaultReport await(Bench bench, FaultUnit unit) {
        int number = unit.number();
        bench.await(
                "fault of " + unit, () -> (bench.read(Pfifo.VM_FAULT_SOURCE) >>> number & 1) != 0);
        long low = bench.read(Pfifo.VM_FAULT_ADDRESS_LOW.element(number));
        long high = bench.read(Pfifo.VM_FAULT_ADDRESS_HIGH.element(number));
        int status = bench.read(Pfifo.VM_FAULT_STATUS.element(number));
        long page = Integer.toUnsignedLong(bench.read(Pfifo.VM_FAULT_INSTANCE.element(number)));
        return new FaultReport(
                page * Bench.PAGE_BYTES,
                high << Integer.SIZE | Integer.toUnsignedLong((int) low),
                FaultStatus.reason(status),
                FaultStatus.isWrite(status));
    }

    /// Acknowledges the report, so that the unit can report the next fault.
    static void acknowledge(Bench bench, FaultUnit unit) {
        bench.write(Pfifo.VM_FAULT_SOURCE, 1 << unit.number());
    }

    /// Returns the report that a test expects.
    static FaultReport of(long instance, long gpuVa, FaultReason reason, boolean write) {
        return new FaultReport(instance, gpuVa, reason.code(), write);
    }
}
