package io.gpuvm.trap.pci;

/// Element of the list of capabilities. Offsets count from its first byte; the first two bytes, id
/// and link, belong to the list.
interface PciCapability {
    /// Returns the identifier, `PCI_CAP_ID_*`.
    int id();

    /// Defines the fields of the capability.
    ///
    /// @param start offset of the capability in configuration space
    void define(ConfigBytes bytes, int start);

    /// Called when a driver may have written to the capability, or to another field.
    ///
    /// @return whether the function must be reset
    default boolean onWrite(ConfigBytes bytes, int start) {
        return false;
    }
}
