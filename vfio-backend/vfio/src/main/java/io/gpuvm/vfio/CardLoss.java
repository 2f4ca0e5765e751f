package io.gpuvm.vfio;

/// Reason to close a card while it is in use.
public enum CardLoss {
    /// Request by the kernel, which waits until the card is closed: only then can the card be
    /// unplugged or bound to another driver, or vfio-pci be unloaded.
    REQUESTED("the kernel requests the release (to unplug or unbind the card, or unload vfio-pci)"),

    /// Error reported by PCI Express, after which the card is no longer reliable.
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
