package io.gpuvm.binding;

/// Permissions for a binding that would otherwise be refused.
///
/// @param wholeGroup true to bind the other functions of the card's IOMMU group, too
/// @param display true to bind a card whose display the host uses
public record BindOptions(boolean wholeGroup, boolean display) {}
