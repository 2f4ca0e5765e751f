package io.gpuvm.gf100.reg;

/// Consecutive offsets of BAR0: a window, or a run of registers whose effect is not modelled and
/// that only store written values.
///
/// @param name unit and part of the unit
/// @param first first byte offset in BAR0, a multiple of 4
/// @param end byte offset after the end, a multiple of 4
public record RegisterRange(String name, int first, int end) {
    public RegisterRange {
        Register.checkOffset(name, first);
        Register.checkOffset(name, end - Register.BYTES);
        if (end <= first) {
            throw new IllegalArgumentException(
                    "range=%s, first=%#x, end=%#x, expected first < end"
                            .formatted(name, first, end));
        }
    }
}
