package io.gpuvm.gf100.isa;

/// Field of an instruction, by role. [Form] defines the position of the field's bits.
///
/// Values are unsigned unless described as signed. Flags are 0 or 1. The value of a field that
/// represents an enum is the `ordinal()`, unless described otherwise.
public enum Field {
    // Conditions of the instruction's execution.

    /// Predicate register that guards the instruction, 0..7. 7 is always true.
    PREDICATE,
    /// Flag: the guard is inverted.
    PREDICATE_NOT,
    /// [ConditionCode] that guards the instruction, in addition to the predicate.
    CONDITION,
    /// Flag, `.S`: after the instruction, the lanes enabled by the guard reconverge with the lanes
    /// of the divergence stack's top entry, regardless of the condition code.
    JOIN,

    // Registers. Register 63 reads as zero and discards results.

    /// General register for the result, 0..63; the first of two or four registers for a wide
    /// operation.
    DST,
    /// Predicate register for the result, 0..7; 7 discards the result.
    PDST,
    /// Second predicate result; for a comparison, the complement combined in the same way.
    PDST_2,
    /// First source register.
    SRC_A,
    /// Second source register; present only if the form's [Form#kindB] is [OperandKind#REGISTER].
    SRC_B,
    /// Third source register; present only if the form's [Form#kindC] is [OperandKind#REGISTER].
    SRC_C,
    /// Register that is stored, or that is the operand of an atomic operation; for
    /// compare-and-swap, the value to compare with.
    DATA,
    /// Register that compare-and-swap stores.
    SWAP,
    /// Predicate source: operand of a comparison's logic, selector, or vote.
    PSRC,
    /// Flag: the predicate source is inverted.
    PSRC_NOT,
    /// First source of an operation on predicates.
    PSRC_A,
    /// Flag: [#PSRC_A] is inverted.
    PSRC_A_NOT,
    /// Second source of an operation on predicates.
    PSRC_B,
    /// Flag: [#PSRC_B] is inverted.
    PSRC_B_NOT,

    // Constants and immediates.

    /// Constant bank of the second operand or of an indexed load, 0..31.
    B_BANK,
    /// Byte offset in [#B_BANK], a multiple of 4.
    B_OFFSET,
    /// Constant bank of the third operand, 0..31.
    C_BANK,
    /// Byte offset in [#C_BANK], a multiple of 4.
    C_OFFSET,
    /// Immediate as the arithmetic unit receives it: 32 bits. An integer is sign-extended if the
    /// form has fewer bits. A float consists of its upper bits followed by zeros, and a double of
    /// its upper word (the lower word is zero).
    IMMEDIATE,

    // Operations on operands before the main operation. For a float, the absolute value is taken
    // before negation.

    /// Flag: negate the first source. In integer forms, see [#PLUS_ONE] if [#NEGATE_B] or
    /// [#NEGATE_C] is also set.
    NEGATE_A,
    /// Flag: negate the second source.
    NEGATE_B,
    /// Flag: negate the third source.
    NEGATE_C,
    /// Flag: negate the product of the first and second source.
    NEGATE_PRODUCT,
    /// Flag: absolute value of the first source.
    ABSOLUTE_A,
    /// Flag: absolute value of the second source.
    ABSOLUTE_B,
    /// Flag: complement the first source.
    INVERT_A,
    /// Flag: complement the second source.
    INVERT_B,
    /// Flag, `.PO`: add 1 to the sum without negating an operand. Such forms have no negation
    /// flags.
    PLUS_ONE,

    // Options of the operation.

    /// Flag, `.CC`: set the condition code from the result.
    CC_OUT,
    /// Flag, `.X`: use the carry of the condition code and, in comparisons, its zero flag.
    CARRY_IN,
    /// Flag, `.SAT`: clamp the result; to 0..1 for floats, to the type's range for integers.
    SATURATE,
    /// Flag, `.FTZ`: denormal inputs and results are replaced with zero of the same sign.
    FTZ,
    /// Flag, `.FMZ`: as [#FTZ], and zero times any value is zero.
    FMZ,
    /// [Rounding] of a float result, or of a conversion to whole numbers.
    ROUNDING,
    /// Flag: F2F keeps the format and rounds to a whole number, in the direction of [#ROUNDING].
    WHOLE,
    /// Power of two by which the product is multiplied before rounding: 0 none, 1 /2, 2 /4, 3 /8, 4
    /// *8, 5 *4, 6 *2.
    SCALE,
    /// [Comparison]; integer forms support only the ordered half.
    COMPARISON,
    /// Flag, `.BF`: true is 1.0f in the result instead of all ones.
    BOOLEAN_FLOAT,
    /// [LogicOp] between the comparison's result, or the first logic result, and [#PSRC].
    LOGIC,
    /// [LogicOp] of the operation itself, which combines the two sources of LOP, or [#PSRC_A] and
    /// [#PSRC_B] of PSETP.
    LOGIC_INNER,
    /// [ConditionCode] that CSET and CSETP convert to a value.
    TEST,
    /// Flag, `.HI`: the result is the upper half of the product.
    HIGH,
    /// Flag: the first factor is signed.
    SIGNED_A,
    /// Flag: the second factor is signed.
    SIGNED_B,
    /// Flag: the operands are signed.
    SIGNED,
    /// Part of a wide minimum: 0 whole, 1 lowest word, 2 middle word, 3 highest word.
    WIDE_PART,
    /// Flag, `.W`: the shift count is taken modulo 32; if clear, counts above 31 shift all bits
    /// out.
    WRAP,
    /// Flag, `.BREV`: reverse the bits of the first source before the operation.
    REVERSE,
    /// Flag, `.SH`: the result is 31 minus the position.
    SHIFT_AMOUNT,
    /// Number of bits by which ISCADD shifts the first source left, 0..31.
    SHIFT,
    /// [PermuteMode] of PRMT.
    PERMUTE,
    /// Lanes of each quad to which a move applies: one bit each, lane 0 lowest.
    QUAD_LANES,
    /// [MufuFunction] of MUFU.
    FUNCTION,
    /// Flag: range reduction for EX2; if clear, for SIN and COS.
    REDUCE_EX2,
    /// [NumberType] of a conversion's result.
    DST_TYPE,
    /// [NumberType] of a conversion's source.
    SRC_TYPE,
    /// Number of the byte (0 to 3) or half-word (0 or 1) of the source word that a conversion
    /// reads; 0 is the lowest.
    PART,
    /// [SpecialRegister] by its code; see [SpecialRegister#of].
    SPECIAL_REGISTER,
    /// [VoteMode] of VOTE.
    VOTE,
    /// [VideoPart] of the first source.
    PART_A,
    /// [VideoPart] of the second source.
    PART_B,
    /// [VideoResult] of a video instruction.
    VIDEO_RESULT,
    /// Flag, `.MX`: select the greater operand instead of the smaller.
    MAXIMUM,
    /// Number of bits by which VMAD shifts its sum right: 0 none, 1 seven, 2 fifteen.
    VIDEO_SHIFT,
    /// Flag: P2R and R2P move the condition code instead of the predicates.
    FLAGS_HIGH,

    // Memory.

    /// [MemorySize] of the access.
    SIZE,
    /// [CacheOp] of a load or store.
    CACHE,
    /// Flag, `.E`: the address is 64 bits, in a pair of registers; if clear, 32 bits,
    /// zero-extended.
    EXTENDED,
    /// Signed number of bytes that is added to the address register.
    OFFSET,
    /// Result register of the second load of a pair.
    DST_2,
    /// Address register of the second load of a pair.
    ADDRESS_2,
    /// [#OFFSET] of the second load of a pair.
    OFFSET_2,
    /// [#SIZE] of the second load of a pair.
    SIZE_2,
    /// [#EXTENDED] of the second load of a pair.
    EXTENDED_2,
    /// [AtomicOp] of an atomic operation.
    ATOMIC,
    /// [AtomicType] of an atomic operation.
    ATOMIC_TYPE,
    /// [MembarLevel] of MEMBAR.
    LEVEL,
    /// [CacheControl] of CCTL.
    CACHE_CONTROL,
    /// Cache of CCTL: 0 data, 1 `.U` uniform, 2 `.C` constants, 3 `.I` instructions.
    CACHE_KIND,

    // Textures.

    /// Slot of the texture, 0..255.
    TEXTURE,
    /// Components of the texel to read: one bit each, x lowest. The result is in consecutive
    /// registers.
    COMPONENTS,
    /// Flag, `.LZ`: read the most detailed level.
    LEVEL_ZERO,
    /// Grouping of the fetch with the instructions that follow; does not affect the result.
    GROUPING,

    // Control.

    /// Branch target, or the value to push: signed bytes from the end of the instruction if
    /// [Form#relative], otherwise unsigned bytes from the start of the code segment. BRX and JMX
    /// add [#SRC_A]. Forms with [#B_BANK] read the number from a constant bank instead.
    TARGET,
    /// Flag, `.U`: branch only if every lane of the warp branches.
    UNIFORM,
    /// Flag, `.LMT`: check a branch target against a limit.
    LIMIT,
    /// Flag of calls and PRET: count the call depth; `.NOINC` if clear.
    COUNTED,
    /// [BarrierOp] of BAR.
    BARRIER_OP,
    /// Barrier number in the instruction, 0..15.
    BARRIER,
    /// Register with the barrier number.
    BARRIER_REGISTER,
    /// Number of threads for which the barrier waits, in the instruction, 0..4095.
    THREADS,
    /// Register with the number of threads; 63 means all threads of the block.
    THREADS_REGISTER,
    /// Flag, `.TRIG`: NOP raises performance-monitor events, whose mask is [#CODE].
    TRIGGER,
    /// Number in BPT, or mask of NOP.TRIG.
    CODE,
    /// [BreakpointKind] of BPT.
    BREAKPOINT,
    /// Flag: RTT ends the warp.
    TERMINATE
}
