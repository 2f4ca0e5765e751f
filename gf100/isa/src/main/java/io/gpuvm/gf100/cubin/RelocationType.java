package io.gpuvm.gf100.cubin;

import java.util.List;

/// Types of relocations: the value that a loader writes to a location in code or data. Types for
/// textures and for the instructions of later architectures are omitted.
///
/// NVIDIA's tools print these names after `R_CUDA_`. In the names of types for instructions, the
/// number at the end is the lowest bit of the field. Source of numbers and fields: the tables in
/// `nvdisasm` and `ptxas`, as published by, for example, redplait/denvdis (`test/nv_rend.cc`).
public enum RelocationType {
    NONE(0, Value.NOTHING, Integer.BYTES),
    DATA_32(1, Value.ADDRESS, Integer.BYTES, new BitRange(0, 32, 0)),
    DATA_64(2, Value.ADDRESS, Long.BYTES, new BitRange(0, 64, 0)),
    G32(3, Value.GENERIC, Integer.BYTES, new BitRange(0, 32, 0)),
    G64(4, Value.GENERIC, Long.BYTES, new BitRange(0, 64, 0)),
    ABS32_26(5, Value.ADDRESS, Long.BYTES, new BitRange(26, 32, 0)),
    ABS32_LO_26(10, Value.LOW, Long.BYTES, new BitRange(26, 32, 0)),
    ABS32_HI_26(11, Value.HIGH, Long.BYTES, new BitRange(26, 32, 0)),
    ABS24_26(15, Value.ADDRESS, Long.BYTES, new BitRange(26, 24, 0)),
    ABS16_26(17, Value.ADDRESS, Long.BYTES, new BitRange(26, 16, 0)),
    CONST_FIELD19_28(
            24,
            Value.CONSTANT,
            Long.BYTES,
            new BitRange(28, 14, 2),
            new BitRange(42, 4, 16),
            new BitRange(26, 1, 20)),
    FUNC_DESC_32(34, Value.FUNCTION, Integer.BYTES, new BitRange(0, 32, 0)),
    FUNC_DESC_64(35, Value.FUNCTION, Long.BYTES, new BitRange(0, 64, 0)),
    CONST_FIELD21_26(
            36, Value.CONSTANT, Long.BYTES, new BitRange(26, 16, 0), new BitRange(42, 5, 16)),
    PCREL_IMM24_26(40, Value.RELATIVE, Long.BYTES, new BitRange(26, 24, 0)),
    DATA_32_LO(70, Value.LOW, Integer.BYTES, new BitRange(0, 32, 0)),
    DATA_32_HI(71, Value.HIGH, Integer.BYTES, new BitRange(0, 32, 0)),
    UNUSED_CLEAR32(72, Value.NOTHING, Integer.BYTES, new BitRange(0, 32, 0)),
    UNUSED_CLEAR64(73, Value.NOTHING, Long.BYTES, new BitRange(0, 64, 0));

    /// Lowest bit of the bank in the number of a [Value#CONSTANT], above the offset.
    public static final int BANK_SHIFT = 16;

    /// Meaning of the number to write.
    public enum Value {
        /// Zero.
        NOTHING,
        /// The target's address in its own space plus the addend. The address is a GPU virtual
        /// address, or an offset in the code segment, a constant bank, shared memory or local
        /// memory.
        ADDRESS,
        /// The lower 32 bits of [#ADDRESS].
        LOW,
        /// The upper 32 bits of [#ADDRESS].
        HIGH,
        /// The target's generic address, for instructions that do not distinguish spaces.
        GENERIC,
        /// Operand of a call through a pointer: the offset in the code segment.
        FUNCTION,
        /// Offset in a constant bank, and the bank in the bits from [#BANK_SHIFT] upwards.
        CONSTANT,
        /// Distance from the instruction after the location.
        RELATIVE
    }

    /// Mapping of bits `at` to `at + width - 1` of the location to the number's bits from `low`
    /// upwards.
    private record BitRange(int at, int width, int low) {
        long mask() {
            return -1L >>> Long.SIZE - width << at;
        }
    }

    private static final RelocationType[] BY_NUMBER = new RelocationType[UNUSED_CLEAR64.number + 1];

    static {
        for (RelocationType type : values()) {
            BY_NUMBER[type.number] = type;
        }
    }

    private final int number;
    private final Value value;
    private final int placeBytes;
    private final List<BitRange> ranges;

    RelocationType(int number, Value value, int placeBytes, BitRange... ranges) {
        this.number = number;
        this.value = value;
        this.placeBytes = placeBytes;
        this.ranges = List.of(ranges);
    }

    /// Returns the type with this number, or null if the number is unknown.
    public static RelocationType of(int number) {
        return number >= 0 && number < BY_NUMBER.length ? BY_NUMBER[number] : null;
    }

    public Value value() {
        return value;
    }

    /// Returns the number in files.
    int number() {
        return number;
    }

    /// Returns the length of the word that contains the field: 4 or 8 bytes.
    public int placeBytes() {
        return placeBytes;
    }

    /// Returns whether the field can hold all bits of a number.
    ///
    /// @param number number, signed for [Value#RELATIVE], otherwise unsigned
    public boolean fits(long number) {
        long kept = get(put(0, number));
        if (value == Value.RELATIVE) {
            int unused = Long.SIZE - ranges.getFirst().width;
            kept = kept << unused >> unused;
        }
        return ranges.isEmpty() || kept == number;
    }

    /// Returns the number of bits that the field can hold.
    public int bits() {
        int bits = 0;
        for (BitRange range : ranges) {
            bits = Math.max(bits, range.low + range.width);
        }
        return bits;
    }

    /// Returns the number in a word's field.
    public long get(long word) {
        long number = 0;
        for (BitRange range : ranges) {
            number |= (word & range.mask()) >>> range.at << range.low;
        }
        return number;
    }

    /// Returns the word with the given number in the field.
    public long put(long word, long number) {
        long result = word;
        for (BitRange range : ranges) {
            result = result & ~range.mask() | number >>> range.low << range.at & range.mask();
        }
        return result;
    }
}
