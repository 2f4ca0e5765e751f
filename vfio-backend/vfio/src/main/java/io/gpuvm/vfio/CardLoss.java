package io.gpuvm.vfio;

/// Why a card is to be given up while it is in use.
public enum CardLoss {
    /// The kernel waits for it: nobody can unplug it, bind it to another driver or unload vfio-pci
    /// before it is closed.
    REQUESTED("the host wants it back (unplugged, unbound, or its driver is unloaded)"),

    /// PCI Express's error reporting: what the card does from now on cannot be relied on.
    BUS_ERROR("its bus reports an error (see the kernel's log, AER)");

    private final String text;

    CardLoss(String text) {
        this.text = text;
    }

    /// The reason, for people.
    public String text() {
        return text;
    }
}
