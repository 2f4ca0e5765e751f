package io.gpuvm.trap.pci;

/// Message-signalled interrupts: one vector, 64-bit address, no mask per vector. The client decides
/// the destination of the message; the capability only stores the driver's values.
final class MsiCapability implements PciCapability {
    private static final int ID = 0x05;
    private static final int FLAGS = 2;
    private static final int FLAGS_ENABLE = 0x0001;
    private static final int FLAGS_64BIT = 0x0080;
    private static final int ADDRESS_LO = 4;
    private static final int ADDRESS_LO_MASK = ~0x3;
    private static final int ADDRESS_HI = 8;
    private static final int DATA_64 = 12;
    private static final int ALL = -1;

    @Override
    public int id() {
        return ID;
    }

    @Override
    public void define(ConfigBytes bytes, int start) {
        bytes.define(start + FLAGS, Short.BYTES, FLAGS_64BIT, FLAGS_ENABLE);
        bytes.define(start + ADDRESS_LO, Integer.BYTES, 0, ADDRESS_LO_MASK);
        bytes.define(start + ADDRESS_HI, Integer.BYTES, 0, ALL);
        bytes.define(start + DATA_64, Short.BYTES, 0, ALL);
    }
}
