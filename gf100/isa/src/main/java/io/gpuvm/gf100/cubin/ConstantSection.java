package io.gpuvm.gf100.cubin;

import java.lang.foreign.MemorySegment;

/// Contents of a constant bank at the start of a kernel.
///
/// @param index the `x` of `c[x][...]`
/// @param contents bytes of the bank, read-only
public record ConstantSection(int index, MemorySegment contents) {
    /// Bank that the runtime writes: launch geometry, then parameters starting at [#PARAMETERS].
    public static final int DRIVER = 0;

    /// Bank that contains the top of the stack.
    public static final int STACK = 1;

    /// Offset in bank 1 of the word with the initial stack pointer.
    public static final int STACK_POINTER = 0x100;

    /// Bank of `__constant__` variables.
    public static final int USER = 2;

    /// Bank of addresses that relocations patch.
    public static final int ADDRESSES = 14;

    /// Bank of the compiler's literals.
    public static final int LITERALS = 16;

    /// Offset of parameters in bank 0 on sm_20.
    public static final int PARAMETERS = 0x20;

    /// Number of banks for which files may have sections.
    public static final int BANKS = 18;

    /// Maximum size of a bank in bytes.
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
