package io.gpuvm.binding;

/// Permissions for a binding that is refused otherwise.
///
/// @param wholeGroup also binds the other functions of the card's IOMMU group
/// @param display binds a card whose display the host uses
public record BindOptions(boolean wholeGroup, boolean display) {}
