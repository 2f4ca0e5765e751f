package io.gpuvm.cli;

import io.gpuvm.vfio.PciAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Converter of a card's PCI address.
final class CardAddress implements ITypeConverter<PciAddress> {
    @Override
    public PciAddress convert(String text) {
        try {
            return PciAddress.parse(text);
        } catch (IllegalArgumentException e) {
            throw new TypeConversionException(e.getMessage());
        }
    }
}
