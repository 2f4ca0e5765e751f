package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.cubin.Location.Part;
import io.gpuvm.gf100.cubin.RelocationType;
import io.gpuvm.gf100.cubin.RelocationType.Value;
import io.gpuvm.gf100.isa.InstructionTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// A number that goes into an image as soon as its address is known.
///
/// @param where for errors: part, offset and symbol
/// @param offset of the place in the image
/// @param movesWithImage whether the image's address is added
/// @param value without that address
/// @param inPlace whether what is there already is added, too
record Fixup(
        String where,
        RelocationType type,
        long offset,
        boolean movesWithImage,
        long value,
        boolean inPlace) {
    static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static Fixup of(CubinRelocation relocation, ModuleLayout layout) {
        Location place = relocation.place();
        RelocationType type = relocation.type();
        String where =
                place.part()
                        + (place.function().isEmpty() ? "" : " of " + place.function())
                        + "+"
                        + place.offset()
                        + ": "
                        + type
                        + " to "
                        + relocation.symbol();
        long offset = layout.offset(place);
        if (offset < 0) {
            throw new ModuleException(where + ": nothing is loaded there");
        }
        Location target = relocation.target();
        if (type.value() == Value.NOTHING) {
            return new Fixup(where, type, offset, false, 0, false);
        }
        if (target == null) {
            throw new ModuleException(where + ": not defined in this module");
        }
        boolean moves = moves(type, target);
        long value = value(where, type, target, layout);
        if (type.value() == Value.RELATIVE) {
            value -= offset + InstructionTable.INSTRUCTION_BYTES;
        }
        return new Fixup(
                where, type, offset, moves, value + relocation.addend(), relocation.inPlace());
    }

    /// Global memory has addresses, and so has what instructions without a space are to reach. All
    /// else is counted from the start of its own space.
    private static boolean moves(RelocationType type, Location target) {
        return type.value() == Value.GENERIC
                || target.part() == Part.GLOBAL
                || target.part() == Part.GLOBAL_INIT;
    }

    private static long value(
            String where, RelocationType type, Location target, ModuleLayout layout) {
        boolean code = target.part() == Part.CODE;
        boolean constant = target.part() == Part.CONSTANT;
        boolean possible =
                switch (type.value()) {
                    case FUNCTION, RELATIVE -> code;
                    case CONSTANT -> constant;
                    case GENERIC -> layout.offset(target) >= 0;
                    default -> true;
                };
        if (!possible) {
            throw new ModuleException(where + ": symbol is in " + target.part());
        }
        return switch (target.part()) {
            case CODE, GLOBAL, GLOBAL_INIT -> layout.offset(target);
            case CONSTANT ->
                    switch (type.value()) {
                        case GENERIC -> layout.offset(target);
                        case CONSTANT ->
                                (long) target.bank() << RelocationType.BANK_SHIFT | target.offset();
                        default -> target.offset();
                    };
            case SHARED, LOCAL -> target.offset();
        };
    }

    /// @throws ModuleException if the place has too few bits
    void apply(MemorySegment image, long gpuVa) {
        long word =
                type.placeBytes() == Integer.BYTES
                        ? Integer.toUnsignedLong(image.get(WORD, offset))
                        : image.get(LONG, offset);
        long number = number(word, gpuVa);
        if (!type.fits(number)) {
            throw new ModuleException(where + ": value=" + number + ", limit=bits of the place");
        }
        long result = type.put(word, number);
        if (type.placeBytes() == Integer.BYTES) {
            image.set(WORD, offset, (int) result);
        } else {
            image.set(LONG, offset, result);
        }
    }

    private long number(long word, long gpuVa) {
        long sum = value + (movesWithImage ? gpuVa : 0);
        long there = inPlace ? type.get(word) : 0;
        return switch (type.value()) {
            case LOW -> Integer.toUnsignedLong((int) (sum + there));
            case HIGH -> Integer.toUnsignedLong((int) ((sum >>> Integer.SIZE) + there));
            default -> sum + there;
        };
    }
}
