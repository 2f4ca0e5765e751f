package io.gpuvm.gf100.driver;

import io.gpuvm.gf100.reg.Pfifo;

/// The MMU's report of a refused access.
///
/// @param unit unit that made the access: see [io.gpuvm.gf100.mmu.FaultUnit]
/// @param instance physical address of the channel's instance block
/// @param gpuVa accessed address
/// @param status see [io.gpuvm.gf100.mmu.FaultStatus]
public record FaultBlock(int unit, long instance, long gpuVa, int status) {
    /// Reads and acknowledges the fault block of a unit, so that the unit can report the next
    /// fault.
    public static FaultBlock take(RegisterPort registers, int unit) {
        FaultBlock block =
                new FaultBlock(
                        unit,
                        Pfifo.CHANNEL_INSTANCE.bytes(
                                Integer.toUnsignedLong(
                                        registers.read(Pfifo.VM_FAULT_INSTANCE, unit))),
                        Integer.toUnsignedLong(registers.read(Pfifo.VM_FAULT_ADDRESS_LOW, unit))
                                | (long) registers.read(Pfifo.VM_FAULT_ADDRESS_HIGH, unit)
                                        << Integer.SIZE,
                        registers.read(Pfifo.VM_FAULT_STATUS, unit));
        registers.write(Pfifo.VM_FAULT_SOURCE, 1 << unit);
        return block;
    }
}
