package io.gpuvm.gf100.reg;

/// A run of registers that a driver is known to write and whose effect is of no interest: they are
/// there, they keep what is written.
///
/// @param name unit and part of the unit
/// @param first byte offset of the first register in BAR0, a multiple of 4
/// @param end byte offset after the last one, a multiple of 4
public record RegisterRange(String name, int first, int end) {
    public RegisterRange {
        Register.checkOffset(name, first);
        Register.checkOffset(name, end - Register.BYTES);
        if (end <= first) {
            throw new IllegalArgumentException(
                    "range=%s first=%#x end=%#x, limit=one register".formatted(name, first, end));
        }
    }
}
