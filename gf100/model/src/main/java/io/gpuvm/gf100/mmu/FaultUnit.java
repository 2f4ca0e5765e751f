package io.gpuvm.gf100.mmu;

/// Units whose faults the MMU reports separately, each with a fault block and a bit of
/// `PFIFO.VM_FAULT_SOURCE` (`rnndb/memory/gf100_vm.xml`, enum `GF100_VM_ENGINE`).
public enum FaultUnit {
    PGRAPH(0x00),
    PEEPHOLE(0x03),
    BAR1(0x04),
    BAR3(0x05),
    /// Push buffers and host semaphores of any PBDMA. For this number, nouveau kills the channel;
    /// for the numbers of the other two PBDMAs, it only logs the fault
    /// (`nvkm/engine/fifo/gf100.c`).
    PFIFO(0x07),
    MSVLD(0x10),
    MSPPP(0x11),
    MSPDEC(0x14),
    PCOPY0(0x15),
    PCOPY1(0x16);

    /// Number of fault blocks.
    public static final int COUNT = 32;

    private final int number;

    FaultUnit(int number) {
        this.number = number;
    }

    /// Returns the index of the fault block.
    public int number() {
        return number;
    }

    /// Returns the name of a fault block's unit, for messages.
    public static String nameOf(int number) {
        for (FaultUnit unit : values()) {
            if (unit.number == number) {
                return unit.name();
            }
        }
        return "%#x".formatted(number);
    }
}
