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

/// A module as it lies in one piece of a GPU's memory: constant banks, code, variables that start
/// with values, then those that start as zeros.
///
/// To load one: allocate [#bytes()], copy [#contentsAt] there, and fill the rest with zeros. Where
/// the memory starts is also the code segment's address. Code that the GPU may have in a cache has
/// to be flushed.
///
/// Immutable. Takes no more memory than a small multiple of the file.
public final class ModuleImage {
    /// What an image's address must be a multiple of: the GPU's small page.
    public static final int ALIGNMENT_BYTES = Cubin.MAX_GLOBAL_ALIGNMENT;

    /// A thread's stack, for kernels that have one: what CUDA gives unless it is told otherwise.
    public static final int DEFAULT_STACK_BYTES = 1 << 10;

    private final ElfClass width;
    private final long bytes;
    private final byte[] contents;
    private final List<Fixup> fixups = new ArrayList<>();
    private final List<KernelImage> kernels;
    private final List<ModuleVariable> variables = new ArrayList<>();

    private ModuleImage(Cubin cubin, int stackBytes) {
        ModuleLayout layout = new ModuleLayout(cubin, stackBytes);
        width = cubin.width();
        kernels =
                cubin.kernels().stream()
                        .map(kernel -> KernelImage.of(kernel, layout, stackBytes))
                        .toList();
        bytes = layout.bytes();
        contents = layout.contents();
        for (DataSymbol symbol : cubin.symbols()) {
            long offset = layout.offset(symbol.location());
            // Bank 0 is each launch's own: nothing in it is a variable.
            if (offset >= 0) {
                variables.add(new ModuleVariable(symbol.name(), offset, symbol.sizeBytes()));
            }
        }
        for (CubinRelocation relocation : cubin.relocations()) {
            fixups.add(Fixup.of(relocation, layout));
        }
    }

    /// @throws ModuleException if the module needs what there is not: a missing symbol, more memory
    ///   than a GPU can address, a relocation that makes no sense
    public static ModuleImage of(Cubin cubin) {
        return of(cubin, DEFAULT_STACK_BYTES);
    }

    /// @param stackBytes of a thread, for kernels that have a stack; more if the file says so.
    ///   Recursion needs as much as it is deep
    /// @throws ModuleException as above
    public static ModuleImage of(Cubin cubin, int stackBytes) {
        if (stackBytes < 0 || stackBytes > CubinFunction.MAX_LOCAL_BYTES) {
            throw ModuleException.at(
                    "module", "stack bytes", stackBytes, "0.." + CubinFunction.MAX_LOCAL_BYTES);
        }
        return new ModuleImage(cubin, stackBytes);
    }

    /// How much memory of the GPU it takes, at least 1.
    public long bytes() {
        return bytes;
    }

    /// What lies at the start of that memory: the rest is zeros. A new array each time.
    ///
    /// @param gpuVa where the memory is, a multiple of [#ALIGNMENT_BYTES]
    /// @throws ModuleException if the code cannot reach that address: one of 32-bit pointers needs
    ///   memory below 4 GiB
    public byte[] contentsAt(long gpuVa) {
        if (gpuVa <= 0 || gpuVa % ALIGNMENT_BYTES != 0) {
            throw ModuleException.at("module", "address", gpuVa, "multiples of " + ALIGNMENT_BYTES);
        }
        long limit = width == ElfClass.ELF32 ? 1L << Integer.SIZE : 1L << TableGeometry.VA_BITS;
        if (gpuVa > limit - bytes) {
            throw ModuleException.at("module", "end of addresses", gpuVa + bytes, limit);
        }
        byte[] relocated = contents.clone();
        MemorySegment segment = MemorySegment.ofArray(relocated);
        for (Fixup fixup : fixups) {
            fixup.apply(segment, gpuVa);
        }
        return relocated;
    }

    /// What can be launched, in the order of the file.
    public List<KernelImage> kernels() {
        return kernels;
    }

    /// In the order of the file.
    public List<ModuleVariable> variables() {
        return List.copyOf(variables);
    }
}
