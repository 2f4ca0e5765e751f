package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.DataSymbol;
import io.gpuvm.gf100.cubin.ElfClass;
import io.gpuvm.gf100.mmu.TableGeometry;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Image of a module in one contiguous piece of a GPU's memory: constant banks, code, initialized
/// variables, then zero-initialized variables.
///
/// To load an image: allocate [#bytes()], copy [#contentsAt] there, and fill the remaining bytes
/// with zeros. The start of the memory is also the address of the code segment. Code that the GPU
/// may have cached must be flushed.
///
/// Immutable, except for [#moveTo]. An image needs at most a small multiple of the file's size in
/// host memory.
public final class ModuleImage {
    /// Alignment of an image's address: the GPU's small page.
    public static final int ALIGNMENT_BYTES = Cubin.MAX_GLOBAL_ALIGNMENT;

    /// Default size of a thread's stack, for kernels that have one, as in CUDA.
    public static final int DEFAULT_STACK_BYTES = 1 << 10;

    private final ElfClass width;
    private final long bytes;
    private final int contentsBytes;

    /// Contents without the image's address; null after [#moveTo].
    private byte[] contents;

    private final List<Fixup> fixups = new ArrayList<>();
    private final List<KernelImage> kernels;
    private final List<ModuleVariable> variables = new ArrayList<>();
    private final CodeLines lines;

    private ModuleImage(Cubin cubin, int stackBytes) {
        ModuleLayout layout = new ModuleLayout(cubin, stackBytes);
        width = cubin.width();
        kernels =
                cubin.kernels().stream()
                        .map(kernel -> KernelImage.of(cubin, kernel, layout, stackBytes))
                        .toList();
        lines = new CodeLines(cubin, layout);
        bytes = layout.bytes();
        contents = layout.contents();
        contentsBytes = contents.length;
        for (DataSymbol symbol : cubin.symbols()) {
            long offset = layout.offset(symbol.location());
            // Bank 0 is each launch's own and contains no variables.
            if (offset >= 0) {
                variables.add(new ModuleVariable(symbol.name(), offset, symbol.sizeBytes()));
            }
        }
        for (CubinRelocation relocation : cubin.relocations()) {
            fixups.add(Fixup.of(relocation, layout));
        }
    }

    /// @throws ModuleException if the module requires a missing symbol or more memory than a GPU
    ///   can address, or contains an invalid relocation
    public static ModuleImage of(Cubin cubin) {
        return of(cubin, DEFAULT_STACK_BYTES);
    }

    /// @param stackBytes bytes of a thread's stack, for kernels that have one; the file can require
    ///   more. All levels of a recursion share this size
    /// @throws ModuleException as [#of(Cubin)]
    public static ModuleImage of(Cubin cubin, int stackBytes) {
        if (stackBytes < 0 || stackBytes > CubinFunction.MAX_LOCAL_BYTES) {
            throw ModuleException.at(
                    "module", "stack bytes", stackBytes, "0 to " + CubinFunction.MAX_LOCAL_BYTES);
        }
        return new ModuleImage(cubin, stackBytes);
    }

    /// Returns the width of pointers.
    public ElfClass width() {
        return width;
    }

    /// Returns the number of bytes of the GPU's memory for the image, at least 1.
    public long bytes() {
        return bytes;
    }

    /// Returns the number of bytes of the contents; the remaining bytes are zero.
    public long contentsBytes() {
        return contentsBytes;
    }

    /// Returns the number of relocations, which need memory of this process as long as the image.
    public int relocations() {
        return fixups.size();
    }

    /// Returns the contents of the start of the image's memory, as a new array. The remaining bytes
    /// are zero.
    ///
    /// @param gpuVa address of the memory, a multiple of [#ALIGNMENT_BYTES]
    /// @throws ModuleException if the address is unaligned, or if the code cannot reach the image
    ///   there: code with 32-bit pointers needs memory below 4 GiB
    public byte[] contentsAt(long gpuVa) {
        return relocated(contents.clone(), gpuVa);
    }

    /// Returns the contents as [#contentsAt] does, but without a copy of them: the image has no
    /// contents afterwards. Called at most once.
    ///
    /// @throws ModuleException as [#contentsAt]
    public byte[] moveTo(long gpuVa) {
        byte[] moved = contents;
        contents = null;
        return relocated(moved, gpuVa);
    }

    private byte[] relocated(byte[] relocated, long gpuVa) {
        if (gpuVa <= 0 || gpuVa % ALIGNMENT_BYTES != 0) {
            throw ModuleException.at(
                    "module",
                    "address",
                    gpuVa,
                    "a multiple of " + ALIGNMENT_BYTES + ", more than 0");
        }
        long limit = width == ElfClass.ELF32 ? 1L << Integer.SIZE : 1L << TableGeometry.VA_BITS;
        if (gpuVa > limit - bytes) {
            throw ModuleException.at("module", "end of addresses", gpuVa + bytes, limit);
        }
        MemorySegment segment = MemorySegment.ofArray(relocated);
        for (Fixup fixup : fixups) {
            fixup.apply(segment, gpuVa);
        }
        return relocated;
    }

    /// Returns the kernels that can be launched, in the order of the file.
    public List<KernelImage> kernels() {
        return kernels;
    }

    /// Returns the source lines of the code.
    public CodeLines lines() {
        return lines;
    }

    /// Returns the variables in the order of the file.
    public List<ModuleVariable> variables() {
        return List.copyOf(variables);
    }
}
