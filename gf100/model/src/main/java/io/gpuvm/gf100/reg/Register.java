package io.gpuvm.gf100.reg;

/// 32-bit register of BAR0.
///
/// Instances are `static final` fields of the unit classes of this package, so that the JIT folds
/// the offset into the code that uses it.
///
/// @param name unit and register name as in envytools' rnndb or nouveau, for instance `PFIFO.INTR`
/// @param offset byte offset in BAR0, a multiple of 4
public record Register(String name, int offset) {
    /// Size of a register in bytes.
    public static final int BYTES = Integer.BYTES;

    /// Size in bytes of the part of BAR0 that holds registers: 16 MiB (`nvkm/engine/device/base.c`
    /// maps the same size).
    public static final int SPACE_BYTES = 1 << 24;

    public Register {
        checkOffset(name, offset);
    }

    /// Creates a register; shorthand for the definitions in this package.
    static Register reg32(String name, int offset) {
        return new Register(name, offset);
    }

    static void checkOffset(String name, int offset) {
        if (offset < 0 || offset >= SPACE_BYTES || offset % BYTES != 0) {
            throw new IllegalArgumentException(
                    "register=%s, offset=%#x, expected a multiple of %d below %#x"
                            .formatted(name, offset, BYTES, SPACE_BYTES));
        }
    }
}
