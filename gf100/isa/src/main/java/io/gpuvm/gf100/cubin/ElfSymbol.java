package io.gpuvm.gf100.cubin;

/// Symbol of an ELF file.
///
/// @param index index in the symbol table
/// @param value offset in the symbol's section; see also [#ABSOLUTE] and [#COMMON]
/// @param type `STT_...`
/// @param binding `STB_...`
/// @param other visibility, and NVIDIA's [#ENTRY]
/// @param section index of the symbol's section; 0 if the symbol is undefined; at least
///   [#FIRST_RESERVED] if it is in no section
public record ElfSymbol(
        int index,
        String name,
        long value,
        long sizeBytes,
        int type,
        int binding,
        int other,
        int section) {
    public static final int OBJECT = 1;
    public static final int FUNCTION = 2;
    public static final int SECTION = 3;

    /// Texture reference, which is in no section.
    public static final int TEXTURE = 10;

    public static final int LOCAL = 0;
    public static final int GLOBAL = 1;
    public static final int WEAK = 2;

    /// Flag in `other`: the symbol is a kernel, not a function that kernels call.
    public static final int ENTRY = 0x10;

    public static final int FIRST_RESERVED = 0xff00;

    /// Value of `section`: the symbol's value is not an address.
    public static final int ABSOLUTE = 0xfff1;

    /// Value of `section`: the symbol is a variable for which the loader allocates space; the
    /// symbol's value is its alignment.
    public static final int COMMON = 0xfff2;
}
