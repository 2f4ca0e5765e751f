package io.gpuvm.binding;

/// What may be taken that is refused otherwise.
///
/// @param wholeGroup the other functions of the card's IOMMU group
/// @param display a card whose display the host uses
public record BindOptions(boolean wholeGroup, boolean display) {}
