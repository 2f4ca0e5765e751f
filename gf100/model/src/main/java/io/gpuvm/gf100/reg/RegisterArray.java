package io.gpuvm.gf100.reg;

import java.util.Objects;

/// Identical registers at a fixed distance, for instance one per channel or per engine.
///
/// @param name unit and register name, without an index
/// @param offset byte offset of element 0 in BAR0, a multiple of 4
/// @param stride distance between elements in bytes, a multiple of 4
/// @param count number of elements
public record RegisterArray(String name, int offset, int stride, int count) {
    public RegisterArray {
        if (count <= 0 || stride <= 0 || stride % Register.BYTES != 0) {
            throw new IllegalArgumentException(
                    ("register=%s, stride=%d, count=%d, expected a stride that is a multiple"
                                    + " of %d, and both above 0")
                            .formatted(name, stride, count, Register.BYTES));
        }
        Register.checkOffset(name, offset);
        Register.checkOffset(name, Math.addExact(offset, Math.multiplyExact(stride, count - 1)));
    }

    /// Returns an array of the first `number` registers, for a chip with fewer units.
    public RegisterArray first(int number) {
        return new RegisterArray(name, offset, stride, number);
    }

    /// Returns element `index` as a register.
    public Register element(int index) {
        return new Register(name + '[' + index + ']', at(index));
    }

    /// Returns the byte offset of element `index`.
    ///
    /// @throws IndexOutOfBoundsException unless `0 <= index < count`
    public int at(int index) {
        return offset + stride * Objects.checkIndex(index, count);
    }
}
