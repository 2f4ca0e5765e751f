package io.gpuvm.gf100.reg;

/// Run of registers that drivers write and whose effect is not modelled: the registers exist and
/// store written values.
///
/// @param name unit and part of the unit
/// @param first byte offset of the first register in BAR0, a multiple of 4
/// @param end byte offset after the last register, a multiple of 4
public record RegisterRange(String name, int first, int end) {
    public RegisterRange {
        Register.checkOffset(name, first);
        Register.checkOffset(name, end - Register.BYTES);
        if (end <= first) {
            throw new IllegalArgumentException(
                    "range=%s first=%#x end=%#x, expected first < end".formatted(name, first, end));
        }
    }
}
