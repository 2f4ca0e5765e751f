package io.gpuvm.trap.pci;

/// PCI Express capability, version 2: an endpoint on a link of 16 lanes at 5 GT/s that supports
/// function-level reset.
final class PcieCapability implements PciCapability {
    private static final int ID = 0x10;
    private static final int FLAGS = 2;
    private static final int FLAGS_VERSION_2_ENDPOINT = 0x0002;
    private static final int DEVCAP = 4;
    private static final int DEVCAP_ROLE_BASED_ERRORS = 0x8000;
    private static final int DEVCAP_FLR = 0x1000_0000;
    private static final int DEVCTL = 8;
    private static final int DEVCTL_RELAXED_AND_NO_SNOOP = 0x0810;
    private static final int DEVCTL_READ_REQUEST_512 = 0x2000;
    private static final int DEVCTL_FLR = 0x8000;
    private static final int LNKCAP = 12;

    /// 16 lanes, 5 GT/s, L0s and L1 with their latencies.
    private static final int LNKCAP_X16_5GT = 0x0001_5d02;

    private static final int LNKCTL = 16;
    private static final int LNKCTL_MASK = 0x01fb;
    private static final int LNKSTA = 18;
    private static final int LNKSTA_X16_5GT_SLOT_CLOCK = 0x1102;
    private static final int DEVCTL2 = 40;
    private static final int DEVCTL2_COMPLETION_TIMEOUT = 0x001f;
    private static final int LNKCTL2 = 48;
    private static final int LNKCTL2_5GT = 0x0002;
    private static final int LNKCTL2_MASK = 0x1fff;
    private static final int ALL = -1;

    @Override
    public int id() {
        return ID;
    }

    @Override
    public void define(ConfigBytes bytes, int start) {
        bytes.define(start + FLAGS, Short.BYTES, FLAGS_VERSION_2_ENDPOINT, 0);
        bytes.define(start + DEVCAP, Integer.BYTES, DEVCAP_ROLE_BASED_ERRORS | DEVCAP_FLR, 0);
        int control = DEVCTL_RELAXED_AND_NO_SNOOP | DEVCTL_READ_REQUEST_512;
        bytes.define(start + DEVCTL, Short.BYTES, control, ALL);
        bytes.define(start + LNKCAP, Integer.BYTES, LNKCAP_X16_5GT, 0);
        bytes.define(start + LNKCTL, Short.BYTES, 0, LNKCTL_MASK);
        bytes.define(start + LNKSTA, Short.BYTES, LNKSTA_X16_5GT_SLOT_CLOCK, 0);
        bytes.define(start + DEVCTL2, Short.BYTES, 0, DEVCTL2_COMPLETION_TIMEOUT);
        bytes.define(start + LNKCTL2, Short.BYTES, LNKCTL2_5GT, LNKCTL2_MASK);
    }

    /// Clears the reset bit, which always reads as zero.
    @Override
    public boolean onWrite(ConfigBytes bytes, int start) {
        int control = (int) bytes.get(start + DEVCTL, Short.BYTES);
        bytes.set(start + DEVCTL, Short.BYTES, control & ~DEVCTL_FLR);
        return (control & DEVCTL_FLR) != 0;
    }
}
