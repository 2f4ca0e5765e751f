package io.gpuvm.vfio;

/// Reason to close a card while it is in use.
public enum CardLoss {
    /// The kernel waits for the card to be closed: until then, it cannot be unplugged or bound to
    /// another driver, and vfio-pci cannot be unloaded.
    REQUESTED("the host requests its release (unplugged, unbound, or its driver is unloaded)"),

    /// An error reported by PCI Express: the card is no longer reliable.
    BUS_ERROR("PCI Express reports an error (AER, see the kernel's log)");

    private final String text;

    CardLoss(String text) {
        this.text = text;
    }

    /// Returns the reason as text for messages.
    public String text() {
        return text;
    }
}
