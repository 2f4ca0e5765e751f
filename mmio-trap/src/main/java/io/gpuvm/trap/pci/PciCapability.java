package io.gpuvm.trap.pci;

/// One element of the list of capabilities. Offsets count from its first byte; the two bytes there,
/// id and link, are the list's.
interface PciCapability {
    /// `PCI_CAP_ID_*`.
    int id();

    /// Defines its fields.
    ///
    /// @param start its offset in configuration space
    void define(ConfigBytes bytes, int start);

    /// Called when a driver may have written to it, or to something else.
    ///
    /// @return whether the function is to be reset
    default boolean onWrite(ConfigBytes bytes, int start) {
        return false;
    }
}
