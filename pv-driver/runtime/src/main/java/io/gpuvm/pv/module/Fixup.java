package io.gpuvm.pv.module;

import io.gpuvm.gf100.cubin.CubinRelocation;
import io.gpuvm.gf100.cubin.Location;
import io.gpuvm.gf100.cubin.RelocationType;
import io.gpuvm.gf100.cubin.RelocationType.Value;
import io.gpuvm.gf100.isa.InstructionTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Value to be written into an image when the image's address is known.
///
/// @param offset offset of the field in the image
/// @param movesWithImage whether the image's address is added to the value
/// @param value value without the image's address
record Fixup(CubinRelocation relocation, long offset, boolean movesWithImage, long value) {
    static final ValueLayout.OfInt WORD =
            ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// @throws ModuleException if the field or the target does not exist, or if a relocation of
    ///   this type cannot refer to the target
    static Fixup of(CubinRelocation relocation, ModuleLayout layout) {
        long offset = layout.offset(relocation.place());
        if (offset < 0 || offset > layout.contentsBytes() - relocation.type().placeBytes()) {
            throw refused(relocation, "field is not in the image");
        }
        RelocationType type = relocation.type();
        if (type.value() == Value.NOTHING) {
            return new Fixup(relocation, offset, false, 0);
        }
        if (relocation.target() == null) {
            throw refused(relocation, "not defined in this module");
        }
        long value = value(relocation, layout) + relocation.addend();
        if (type.value() == Value.RELATIVE) {
            value -= offset + InstructionTable.INSTRUCTION_BYTES;
        }
        return new Fixup(relocation, offset, moves(type, relocation.target()), value);
    }

    private static ModuleException refused(CubinRelocation relocation, String why) {
        Location place = relocation.place();
        return new ModuleException(
                place.part()
                        + (place.function().isEmpty() ? "" : " of " + place.function())
                        + "+"
                        + place.offset()
                        + ": "
                        + relocation.type()
                        + " to "
                        + relocation.symbol()
                        + ": "
                        + why);
    }

    /// Returns whether the image's address is part of the value. Only global variables and the
    /// targets of generic instructions have absolute addresses; all other values are offsets in
    /// their own space.
    private static boolean moves(RelocationType type, Location target) {
        return switch (target.part()) {
            case GLOBAL, GLOBAL_INIT -> true;
            case CONSTANT -> type.value() == Value.GENERIC;
            case CODE, SHARED, LOCAL, ABSOLUTE -> false;
        };
    }

    private static long value(CubinRelocation relocation, ModuleLayout layout) {
        Value wanted = relocation.type().value();
        Location target = relocation.target();
        boolean possible =
                switch (target.part()) {
                    case CODE -> wanted != Value.CONSTANT && wanted != Value.GENERIC;
                    case CONSTANT -> wanted != Value.FUNCTION && wanted != Value.RELATIVE;
                    case GLOBAL, GLOBAL_INIT ->
                            wanted != Value.FUNCTION
                                    && wanted != Value.RELATIVE
                                    && wanted != Value.CONSTANT;
                    case SHARED, LOCAL ->
                            wanted == Value.ADDRESS || wanted == Value.LOW || wanted == Value.HIGH;
                    case ABSOLUTE -> wanted != Value.RELATIVE;
                };
        if (!possible) {
            throw refused(relocation, "symbol is in " + target.part());
        }
        return switch (target.part()) {
            case CODE, GLOBAL, GLOBAL_INIT -> layout.offset(target);
            case CONSTANT -> constant(wanted, target, layout);
            case SHARED, LOCAL, ABSOLUTE -> target.offset();
        };
    }

    private static long constant(Value wanted, Location target, ModuleLayout layout) {
        return switch (wanted) {
            case GENERIC -> layout.offset(target);
            case CONSTANT -> (long) target.bank() << RelocationType.BANK_SHIFT | target.offset();
            default -> target.offset();
        };
    }

    /// @throws ModuleException if the field has too few bits
    void apply(MemorySegment image, long gpuVa) {
        RelocationType type = relocation.type();
        boolean narrow = type.placeBytes() == Integer.BYTES;
        long word =
                narrow ? Integer.toUnsignedLong(image.get(WORD, offset)) : image.get(LONG, offset);
        long number = number(word, gpuVa);
        if (!type.fits(number)) {
            throw refused(relocation, "value=" + number + ", limit=" + type.bits() + " bits");
        }
        long result = type.put(word, number);
        if (narrow) {
            image.set(WORD, offset, (int) result);
        } else {
            image.set(LONG, offset, result);
        }
    }

    private long number(long word, long gpuVa) {
        long sum = value + (movesWithImage ? gpuVa : 0);
        long there = relocation.inPlace() ? relocation.type().get(word) : 0;
        return switch (relocation.type().value()) {
            case NOTHING -> 0;
            case LOW -> Integer.toUnsignedLong((int) (sum + there));
            case HIGH -> Integer.toUnsignedLong((int) ((sum >>> Integer.SIZE) + there));
            default -> sum + there;
        };
    }
}
