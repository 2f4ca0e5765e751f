package io.gpuvm.trap.pci;

/// Power management: D0 and D3hot. The function loses its state in the transition from D3hot to D0
/// (`PCI_PM_CTRL_NO_SOFT_RESET` is clear).
final class PmCapability implements PciCapability {
    private static final int ID = 0x01;
    private static final int PMC = 2;
    private static final int PMC_VERSION_3 = 0x0003;
    private static final int CTRL = 4;
    private static final int CTRL_STATE_MASK = 0x0003;
    private static final int D0 = 0;
    private static final int D3_HOT = 3;

    private int state = D0;

    @Override
    public int id() {
        return ID;
    }

    @Override
    public void define(ConfigBytes bytes, int start) {
        bytes.define(start + PMC, Short.BYTES, PMC_VERSION_3, 0);
        bytes.define(start + CTRL, Short.BYTES, D0, CTRL_STATE_MASK);
    }

    /// Discards a state that is not supported, as the PCI specification requires.
    @Override
    public boolean onWrite(ConfigBytes bytes, int start) {
        int wanted = (int) bytes.get(start + CTRL, Short.BYTES) & CTRL_STATE_MASK;
        int before = state;
        if (wanted == D0 || wanted == D3_HOT) {
            state = wanted;
        } else {
            bytes.set(start + CTRL, Short.BYTES, state);
        }
        return before == D3_HOT && state == D0;
    }
}
