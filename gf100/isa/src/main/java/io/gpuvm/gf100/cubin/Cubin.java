package io.gpuvm.gf100.cubin;

import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// A module of machine code: kernels with what launching them takes, constants, variables.
///
/// Immutable. Source of what sections mean: NVIDIA's `cuobjdump -elf` and `nvdisasm` on files of
/// nvcc, gdev's `cuda/driver/gdev_cuda.c`, asfermi's `helper/helperCubin.cpp`.
///
/// @param architecture 20 or 21, of sm_20 and sm_21
/// @param width of the file, and of pointers. Files of the first nvcc for sm_20 say that in no
///   other way.
/// @param functions in the order of their sections
/// @param constants banks that all functions share
/// @param globalBytes bytes of variables that start as zeros
/// @param globalInit what the other variables start as, read-only
/// @param globalAlignment what the addresses of both are multiples of, a power of two
/// @param symbols variables that programs find by name
/// @param relocations places that a loader fills in
public record Cubin(
        int architecture,
        ElfClass width,
        List<CubinFunction> functions,
        List<ConstantSection> constants,
        long globalBytes,
        MemorySegment globalInit,
        int globalAlignment,
        List<DataSymbol> symbols,
        List<CubinRelocation> relocations) {
    /// Bytes of variables at the most: what the GPU has addresses for.
    public static final long MAX_GLOBAL_BYTES = 1L << TableGeometry.VA_BITS;

    /// Alignment of variables at the most: a page of the GPU.
    public static final int MAX_GLOBAL_ALIGNMENT = 4 << 10;

    /// In [ElfFile#flags]: the architecture. Source: LLVM `BinaryFormat/ELF.h`, `EF_CUDA_...`.
    static final int FLAG_SM = 0xff;

    static final int FLAG_UNIFIED_TEXTURES = 0x100;
    static final int FLAG_WIDE_ADDRESSES = 0x400;
    static final int VIRTUAL_SM_SHIFT = 16;

    public Cubin {
        if (!isKnown(architecture)) {
            throw CubinException.at("file", "architecture", architecture, "20..21");
        }
        functions = List.copyOf(functions);
        constants = List.copyOf(constants);
        symbols = List.copyOf(symbols);
        relocations = List.copyOf(relocations);
        globalInit = globalInit.asReadOnly();
    }

    static boolean isKnown(int architecture) {
        return architecture == 20 || architecture == 21;
    }

    /// Whether the bytes start as a cubin or a fatbin does.
    public static boolean isOne(byte[] file) {
        return ElfFile.isElf(file) || Fatbin.isFatbin(file);
    }

    /// Reads a cubin, and keeps a copy of it. Of a fatbin, it is the one for sm_20 or else sm_21.
    ///
    /// @throws CubinException if it is none, or breaks the format anywhere
    public static Cubin read(byte[] file) {
        return of(ElfFile.read(Fatbin.isFatbin(file) ? Fatbin.cubin(file) : file));
    }

    /// What an ELF file means.
    ///
    /// @throws CubinException if that makes no sense
    public static Cubin of(ElfFile file) {
        return new CubinReader(file).read();
    }

    /// The file, in the shape in which nvcc for sm_20 writes it.
    ///
    /// @throws IllegalStateException if there are relocations, which only what was read can have
    public byte[] toBytes() {
        return new CubinWriter(this).write();
    }

    /// The function with this name, or null.
    public CubinFunction function(String name) {
        for (CubinFunction function : functions) {
            if (function.name().equals(name)) {
                return function;
            }
        }
        return null;
    }

    /// What can be launched.
    public List<CubinFunction> kernels() {
        return functions.stream().filter(CubinFunction::kernel).toList();
    }
}
