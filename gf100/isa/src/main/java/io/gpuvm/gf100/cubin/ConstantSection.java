package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;

/// Contents of a constant bank at the start of a kernel.
///
/// @param index the `x` of `c[x][...]`
/// @param contents read-only
public record ConstantSection(int index, MemorySegment contents) {
    /// The bank that the runtime writes: launch geometry, then parameters from [#PARAMETERS] on.
    public static final int DRIVER = 0;

    /// The bank with the stack's top.
    public static final int STACK = 1;

    /// Offset in bank 1 of the initial value of the stack pointer: a word.
    public static final int STACK_POINTER = 0x100;

    /// The bank of `__constant__` variables.
    public static final int USER = 2;

    /// The bank of addresses that relocations patch.
    public static final int ADDRESSES = 14;

    /// The bank of the compiler's literals.
    public static final int LITERALS = 16;

    /// Offset of parameters in bank 0 on sm_20.
    public static final int PARAMETERS = 0x20;

    /// Number of banks for which files may have sections.
    public static final int BANKS = 18;

    /// Largest size of a bank in bytes.
    public static final int BYTES = 1 << 16;

    public ConstantSection {
        if (index < 0 || index >= BANKS) {
            throw CubinException.at("constant bank", "index", index, BANKS - 1);
        }
        if (contents.byteSize() > BYTES) {
            throw CubinException.at("constant bank " + index, "bytes", contents.byteSize(), BYTES);
        }
        contents = contents.asReadOnly();
    }
}
