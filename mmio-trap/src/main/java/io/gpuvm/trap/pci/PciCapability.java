package io.gpuvm.trap.pci;

/// Element of the list of capabilities. Offsets are relative to its first byte. The first two
/// bytes, identifier and link, belong to the list.
interface PciCapability {
    /// Returns the identifier, `PCI_CAP_ID_*`.
    int id();

    /// Defines the fields of the capability.
    ///
    /// @param start offset of the capability in configuration space
    void define(ConfigBytes bytes, int start);

    /// Called after a reset, and after each write that may have changed the capability.
    ///
    /// @return whether the function must be reset
    default boolean onWrite(ConfigBytes bytes, int start) {
        return false;
    }
}
