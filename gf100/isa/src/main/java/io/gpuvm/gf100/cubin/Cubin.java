package io.gpuvm.gf100.cubin;

import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// Module of machine code: kernels with their launch attributes, constants, variables.
///
/// Immutable. Source for the meaning of sections: NVIDIA's `cuobjdump -elf` and `nvdisasm` on files
/// of nvcc, gdev's `cuda/driver/gdev_cuda.c`, asfermi's `helper/helperCubin.cpp`.
///
/// @param architecture 20 for sm_20, or 21 for sm_21
/// @param virtualArchitecture architecture of the PTX from which the code was compiled: 20 for
///   compute_20
/// @param width width of the file's fields and of pointers; files of the first nvcc for sm_20 do
///   not indicate the width of pointers separately
/// @param functions functions, in the order of their sections
/// @param constants banks that all functions share
/// @param globalBytes size in bytes of the zero-initialized variables in global memory
/// @param globalInit initial contents of all other variables in global memory, read-only
/// @param globalAlignment alignment of the addresses of both kinds of variables, a power of two
/// @param symbols variables that programs look up by name
/// @param relocations locations that a loader patches
/// @param lines source lines of functions, at most one table for each function
public record Cubin(
        int architecture,
        int virtualArchitecture,
        ElfClass width,
        List<CubinFunction> functions,
        List<ConstantSection> constants,
        long globalBytes,
        MemorySegment globalInit,
        int globalAlignment,
        List<DataSymbol> symbols,
        List<CubinRelocation> relocations,
        List<LineTable> lines) {
    /// Maximum size of variables in bytes: the GPU's address space.
    public static final long MAX_GLOBAL_BYTES = 1L << TableGeometry.VA_BITS;

    /// Maximum alignment of variables: a page of the GPU.
    public static final int MAX_GLOBAL_ALIGNMENT = 4 << 10;

    /// Bits of [ElfFile#flags] that contain the architecture. Source: LLVM `BinaryFormat/ELF.h`,
    /// `EF_CUDA_...`.
    static final int FLAG_SM = 0xff;

    static final int FLAG_UNIFIED_TEXTURES = 0x100;
    static final int FLAG_WIDE_ADDRESSES = 0x400;
    static final int VIRTUAL_SM_SHIFT = 16;

    /// Newest architecture that the loader accepts: sm_21.
    static final int NEWEST_ARCHITECTURE = 21;

    public Cubin {
        if (!isKnown(architecture)) {
            throw new CubinException(
                    CubinException.Kind.OTHER_ARCHITECTURE,
                    "file: architecture=" + architecture + ", expected 20 or 21");
        }
        functions = List.copyOf(functions);
        constants = List.copyOf(constants);
        symbols = List.copyOf(symbols);
        relocations = List.copyOf(relocations);
        lines = List.copyOf(lines);
        globalInit = globalInit.asReadOnly();
    }

    /// Creates a module without source lines.
    public Cubin(
            int architecture,
            int virtualArchitecture,
            ElfClass width,
            List<CubinFunction> functions,
            List<ConstantSection> constants,
            long globalBytes,
            MemorySegment globalInit,
            int globalAlignment,
            List<DataSymbol> symbols,
            List<CubinRelocation> relocations) {
        this(
                architecture,
                virtualArchitecture,
                width,
                functions,
                constants,
                globalBytes,
                globalInit,
                globalAlignment,
                symbols,
                relocations,
                List.of());
    }

    static boolean isKnown(int architecture) {
        return architecture == 20 || architecture == NEWEST_ARCHITECTURE;
    }

    /// Returns whether the bytes start with the header of an ELF file or a fatbin.
    public static boolean isOne(byte[] file) {
        return ElfFile.isElf(file) || Fatbin.isFatbin(file);
    }

    /// Reads a cubin and copies its contents. From a fatbin, reads the cubin for sm_20, or the
    /// cubin for sm_21 if the fatbin has none for sm_20.
    ///
    /// @throws CubinException if the file is not a cubin or violates the format
    public static Cubin read(byte[] file) {
        return of(ElfFile.read(elf(file)));
    }

    /// Returns the ELF file that [#read] interprets: the decompressed cubin of a fatbin, or the
    /// file itself.
    ///
    /// @throws CubinException if the file is PTX, or a fatbin without a readable cubin
    public static byte[] elf(byte[] file) {
        if (PtxText.isPtx(file)) {
            throw new CubinException(
                    CubinException.Kind.ONLY_PTX, "file: is PTX, expected a cubin or a fatbin");
        }
        return Fatbin.isFatbin(file) ? Fatbin.cubin(file) : file;
    }

    /// Interprets an ELF file as a module.
    ///
    /// @throws CubinException if the file's contents are inconsistent
    public static Cubin of(ElfFile file) {
        return new CubinReader(file).read();
    }

    /// Returns the module as a file in the layout that nvcc uses for sm_20.
    ///
    /// @throws IllegalStateException if the module has a symbol or relocation in a missing section,
    ///   or too many sections
    public byte[] toBytes() {
        return new CubinWriter(this).write();
    }

    /// Returns the function with this name, or null if there is none.
    public CubinFunction function(String name) {
        for (CubinFunction function : functions) {
            if (function.name().equals(name)) {
                return function;
            }
        }
        return null;
    }

    /// Returns the source of an instruction, or null if it is unknown.
    ///
    /// @param offset offset of the instruction in the function's code in bytes
    public LineTable.Row line(String function, long offset) {
        for (LineTable table : lines) {
            if (table.function().equals(function)) {
                return table.find(offset);
            }
        }
        return null;
    }

    /// Returns the functions that can be launched.
    public List<CubinFunction> kernels() {
        return functions.stream().filter(CubinFunction::kernel).toList();
    }
}
