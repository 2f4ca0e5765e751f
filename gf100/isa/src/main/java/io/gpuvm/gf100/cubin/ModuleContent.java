package io.gpuvm.gf100.cubin;

import java.nio.charset.StandardCharsets;

/// Content of a file with a module, for this GPU: machine code, or PTX that a compiler translates.
public sealed interface ModuleContent {
    /// Machine code.
    ///
    /// @param elf cubin, decompressed
    record Code(byte[] elf) implements ModuleContent {}

    /// Source for a compiler.
    record Ptx(String text) implements ModuleContent {}

    /// Returns whether a file may be a module: it begins as an ELF file or a fatbin does, or is
    /// PTX.
    static boolean isModule(byte[] file) {
        return Cubin.isOne(file) || PtxText.isPtx(file);
    }

    /// Returns the content of a cubin, a fatbin, or a source in PTX. Of a fatbin, this is the cubin
    /// for sm_20, else the cubin for sm_21, else the PTX for the newest GPU up to sm_21, else the
    /// PTX for the oldest other GPU.
    ///
    /// @throws CubinException if the file is a fatbin without code for this GPU and without PTX, or
    ///   is damaged
    static ModuleContent of(byte[] file) {
        if (PtxText.isPtx(file)) {
            return ptx(file);
        }
        if (!Fatbin.isFatbin(file)) {
            return new Code(file);
        }
        FatbinEntry entry = Fatbin.best(file);
        return entry.kind() == FatbinEntry.PTX ? ptx(entry.image()) : new Code(entry.image());
    }

    /// @param text characters, possibly followed by zeros
    private static Ptx ptx(byte[] text) {
        int end = 0;
        while (end < text.length && text[end] != 0) {
            end++;
        }
        return new Ptx(new String(text, 0, end, StandardCharsets.UTF_8));
    }
}
