package io.gpuvm.pv.module;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.cubin.Location.Part;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Layout of a module's parts in the image.
final class ModuleLayout {
    /// Maximum length of an array, in bytes.
    private static final int CONTENTS_LIMIT = Integer.MAX_VALUE - 8;

    private static final String SHARED_BY_ALL = "";

    private record Piece(int offset, MemorySegment contents) {}

    private final List<Piece> pieces = new ArrayList<>();

    /// Offset of a part, by the location of the part's first byte.
    private final Map<Location, Long> offsets = new HashMap<>();

    private final Map<Location, BankImage> banks = new HashMap<>();

    /// Bank that contains the initial stack pointer, by stack pointer.
    private final Map<Integer, BankImage> stackBanks = new HashMap<>();

    private final long bytes;
    private int end;

    ModuleLayout(Cubin cubin, int stackBytes) {
        addBanks(SHARED_BY_ALL, cubin.constants());
        for (CubinFunction function : cubin.functions()) {
            addBanks(function.name(), function.constants());
            if (!function.kernel()) {
                checkCallee(function);
            } else {
                int top = KernelResources.of(function, stackBytes).localBytes();
                stackBanks.computeIfAbsent(top, this::addStackBank);
            }
        }
        // No function lies at offset 0, because programs treat that address as a null pointer.
        end = Math.max(end, ComputeClass.CODE_ALIGNMENT_BYTES);
        for (CubinFunction function : cubin.functions()) {
            offsets.put(
                    function.location(), add(function.code(), ComputeClass.CODE_ALIGNMENT_BYTES));
        }
        int alignment = Math.max(cubin.globalAlignment(), ComputeClass.CODE_ALIGNMENT_BYTES);
        offsets.put(
                new Location(Part.GLOBAL_INIT, SHARED_BY_ALL, 0, 0),
                add(cubin.globalInit(), alignment));
        long zeros = align(end, alignment);
        offsets.put(new Location(Part.GLOBAL, SHARED_BY_ALL, 0, 0), zeros);
        bytes = cubin.globalBytes() == 0 ? end : zeros + cubin.globalBytes();
    }

    /// Checks that a device function needs no memory or banks of its own: a linker would have
    /// assigned them to the kernels.
    private static void checkCallee(CubinFunction function) {
        String where = "function " + function.name();
        long banks =
                function.constants().stream()
                        .filter(bank -> bank.index() != ConstantSection.DRIVER)
                        .count();
        if (function.sharedBytes() > 0) {
            throw ModuleException.at(where, "bytes of shared memory", function.sharedBytes(), 0);
        }
        if (function.localBytes() > 0) {
            throw ModuleException.at(where, "bytes of local memory", function.localBytes(), 0);
        }
        if (banks > 0) {
            throw ModuleException.at(where, "own constant banks", banks, 0);
        }
    }

    /// Adds the constant banks, except bank 0: it belongs to the launch, and files contain only
    /// zeros for it.
    private void addBanks(String function, List<ConstantSection> constants) {
        for (ConstantSection bank : constants) {
            Location start = new Location(Part.CONSTANT, function, bank.index(), 0);
            if (bank.index() == ConstantSection.STACK) {
                throw new ModuleException(
                        "constant bank=1, expected 2 to " + (ConstantSection.BANKS - 1));
            }
            if (bank.index() != ConstantSection.DRIVER) {
                BankImage image = addBank(bank.index(), bank.contents());
                banks.put(start, image);
                offsets.put(start, image.offset());
            }
        }
    }

    private BankImage addStackBank(int top) {
        byte[] contents = new byte[ConstantSection.STACK_POINTER + Integer.BYTES];
        MemorySegment segment = MemorySegment.ofArray(contents);
        segment.set(Fixup.WORD, ConstantSection.STACK_POINTER, top);
        return addBank(ConstantSection.STACK, segment);
    }

    private BankImage addBank(int index, MemorySegment contents) {
        long offset = add(contents, ConstantMethods.ALIGNMENT_BYTES);
        extendTo(align(end, ConstantMethods.ALIGNMENT_BYTES));
        return new BankImage(index, offset, (int) (end - offset));
    }

    private long add(MemorySegment contents, int alignment) {
        long offset = align(end, alignment);
        pieces.add(new Piece((int) offset, contents));
        extendTo(offset + contents.byteSize());
        return offset;
    }

    private void extendTo(long wanted) {
        if (wanted > CONTENTS_LIMIT) {
            throw ModuleException.at("module", "bytes of contents", wanted, CONTENTS_LIMIT);
        }
        end = (int) wanted;
    }

    private static long align(long offset, int alignment) {
        return (offset + alignment - 1) / alignment * alignment;
    }

    /// Returns the length of the whole image in bytes.
    long bytes() {
        return bytes;
    }

    /// Returns the number of bytes before the trailing zeros.
    int contentsBytes() {
        return end;
    }

    /// Returns the image without its trailing zeros, as a new array.
    byte[] contents() {
        byte[] contents = new byte[end];
        MemorySegment segment = MemorySegment.ofArray(contents);
        for (Piece piece : pieces) {
            segment.asSlice(piece.offset, piece.contents.byteSize()).copyFrom(piece.contents);
        }
        return contents;
    }

    /// Returns the offset of a location in the image; -1 if the location lies outside the image, in
    /// bank 0, shared memory or local memory.
    long offset(Location place) {
        Long start = offsets.get(new Location(place.part(), place.function(), place.bank(), 0));
        return start == null ? -1 : start + place.offset();
    }

    /// Returns the banks to be bound for a kernel, in the order of their indices.
    List<BankImage> banks(CubinFunction kernel, KernelResources resources) {
        List<BankImage> bound = new ArrayList<>();
        bound.add(stackBanks.get(resources.localBytes()));
        for (int i = 0; i < ConstantSection.BANKS; i++) {
            BankImage shared = banks.get(new Location(Part.CONSTANT, SHARED_BY_ALL, i, 0));
            BankImage own = banks.get(new Location(Part.CONSTANT, kernel.name(), i, 0));
            if (shared != null && own != null) {
                throw ModuleException.at("kernel " + kernel.name(), "sections of bank " + i, 2, 1);
            }
            if (shared != null || own != null) {
                bound.add(own == null ? shared : own);
            }
        }
        return bound;
    }
}
