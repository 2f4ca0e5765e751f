package io.gpuvm.gf100.isa;

/// What the bits of an instruction can say, by role. Where the bits are is [Form]'s business.
///
/// Values are unsigned unless it is said that they are signed. Flags are 0 or 1. A field that
/// stands for an enum has that enum's `ordinal()` as its value, unless said otherwise.
public enum Field {
    // Whether and how the instruction is carried out.

    /// Predicate register that guards the instruction, 0..7. 7 is always true.
    PREDICATE,
    /// Flag: the guard is inverted.
    PREDICATE_NOT,
    /// [ConditionCode] that guards the instruction, besides the predicate.
    CONDITION,
    /// Flag, `.S`: after the instruction, lanes that the guard lets execute it join the others of
    /// the divergence stack's top entry. The condition code has no say in it.
    JOIN,

    // Registers. 63 reads as zero and takes results that nobody wants.

    /// General register for the result, 0..63; the first of two or four where the operation is that
    /// wide.
    DST,
    /// Predicate register for the result, 0..7; 7 takes results that nobody wants.
    PDST,
    /// Second predicate result: of comparisons, the complement combined in the same way.
    PDST_2,
    /// First source register.
    SRC_A,
    /// Second source register. Only if the form's [Form#kindB] is [OperandKind#REGISTER].
    SRC_B,
    /// Third source register. Only if the form's [Form#kindC] is [OperandKind#REGISTER].
    SRC_C,
    /// Register that is stored, or that an atomic operation applies; of compare-and-swap, what is
    /// compared with.
    DATA,
    /// Register that compare-and-swap stores.
    SWAP,
    /// The predicate source: what a comparison is combined with, what selects, what is voted for.
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

    /// Constant bank of the second operand, 0..31, or of an indexed load.
    B_BANK,
    /// Byte offset in [#B_BANK], a multiple of 4.
    B_OFFSET,
    /// Constant bank of the third operand, 0..31.
    C_BANK,
    /// Byte offset in [#C_BANK], a multiple of 4.
    C_OFFSET,
    /// The number as the arithmetic unit sees it: 32 bits, sign-extended if the form has fewer; of
    /// floats, their upper bits in place and the rest zero; of doubles, the upper word (the lower
    /// one is zero).
    IMMEDIATE,

    // What is done to operands first. For a float, absolute value comes before negation.

    /// Flag: negate the first source. Integer: with [#NEGATE_B], or the third source's, also set,
    /// see [#PLUS_ONE].
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
    /// Flag, `.PO`: nothing is negated and one is added to the sum. Such forms have no negation
    /// flags.
    PLUS_ONE,

    // What the operation does.

    /// Flag, `.CC`: set the condition code from the result.
    CC_OUT,
    /// Flag, `.X`: use the carry of the condition code (and, of comparisons, its zero flag).
    CARRY_IN,
    /// Flag, `.SAT`: clamp the result; to 0..1 for floats, to the type's range for integers.
    SATURATE,
    /// Flag, `.FTZ`: denormal inputs and results count as zero of their sign.
    FTZ,
    /// Flag, `.FMZ`: as [#FTZ], and zero times anything is zero.
    FMZ,
    /// [Rounding] of a float result; of a conversion to whole numbers, the direction.
    ROUNDING,
    /// Flag: F2F keeps the format and rounds to a whole number, in the direction of [#ROUNDING].
    WHOLE,
    /// Power of two that the product is multiplied by before rounding: 0 none, 1 /2, 2 /4, 3 /8, 4
    /// *8, 5 *4, 6 *2.
    SCALE,
    /// [Comparison]; the unordered half of it only in float forms.
    COMPARISON,
    /// Flag, `.BF`: true is 1.0f in the result, not all ones.
    BOOLEAN_FLOAT,
    /// [LogicOp] between the comparison's result, or the first logic result, and [#PSRC].
    LOGIC,
    /// [LogicOp] of the operation itself: of LOP its two sources; of PSETP, [#PSRC_A] and
    /// [#PSRC_B].
    LOGIC_INNER,
    /// [ConditionCode] that CSET and CSETP turn into a value.
    TEST,
    /// Flag, `.HI`: the upper half of the product.
    HIGH,
    /// Flag: the first factor is signed.
    SIGNED_A,
    /// Flag: the second factor is signed.
    SIGNED_B,
    /// Flag: the operation is on signed numbers.
    SIGNED,
    /// Which part of a wide minimum: 0 whole, 1 lowest word, 2 middle word, 3 highest word.
    WIDE_PART,
    /// Flag, `.W`: the shift count is taken modulo 32; without it, counts above 31 shift everything
    /// out.
    WRAP,
    /// Flag, `.BREV`: reverse the first source's bits first.
    REVERSE,
    /// Flag, `.SH`: 31 minus the position is the result.
    SHIFT_AMOUNT,
    /// Bits that ISCADD shifts the first source to the left by, 0..31.
    SHIFT,
    /// [PermuteMode].
    PERMUTE,
    /// Which lanes of each quad the move is for: one bit each, lane 0 lowest.
    QUAD_LANES,
    /// [MufuFunction].
    FUNCTION,
    /// Flag: range reduction for EX2; without it, for SIN and COS.
    REDUCE_EX2,
    /// [NumberType] that a conversion makes.
    DST_TYPE,
    /// [NumberType] that a conversion takes.
    SRC_TYPE,
    /// Which byte, or half, of the source word a conversion takes: 0 lowest. Of halves, 0 or 1.
    PART,
    /// [SpecialRegister] by its code; look it up with [SpecialRegister#of].
    SPECIAL_REGISTER,
    /// [VoteMode].
    VOTE,
    /// [VideoPart] of the first source.
    PART_A,
    /// [VideoPart] of the second source.
    PART_B,
    /// [VideoResult].
    VIDEO_RESULT,
    /// Flag, `.MX`: the greater one, not the smaller one.
    MAXIMUM,
    /// Bits that VMAD shifts its sum to the right by: 0 none, 1 seven, 2 fifteen.
    VIDEO_SHIFT,
    /// Flag: P2R and R2P move the condition code, not the predicates.
    FLAGS_HIGH,

    // Memory.

    /// [MemorySize] of the access.
    SIZE,
    /// [CacheOp].
    CACHE,
    /// Flag, `.E`: the address is 64 bits, in a pair of registers; without it, 32 bits,
    /// zero-extended.
    EXTENDED,
    /// Bytes added to the address register. Signed.
    OFFSET,
    /// Of paired loads, the second one's register for the result.
    DST_2,
    /// Of paired loads, the second one's address register.
    ADDRESS_2,
    /// As [#OFFSET], of the second one of paired loads.
    OFFSET_2,
    /// As [#SIZE], of the second one of paired loads.
    SIZE_2,
    /// As [#EXTENDED], of the second one of paired loads.
    EXTENDED_2,
    /// [AtomicOp].
    ATOMIC,
    /// [AtomicType].
    ATOMIC_TYPE,
    /// [MembarLevel].
    LEVEL,
    /// [CacheControl].
    CACHE_CONTROL,
    /// Which cache: 0 data, 1 `.U` uniform, 2 `.C` constants, 3 `.I` instructions.
    CACHE_KIND,

    // Textures.

    /// Slot of the texture that is read, 0..255.
    TEXTURE,
    /// Which components of the texel are wanted: one bit each, x lowest. The wanted ones go to
    /// consecutive registers.
    COMPONENTS,
    /// Flag, `.LZ`: the most detailed level.
    LEVEL_ZERO,
    /// How the fetch is grouped with the instructions that follow; no matter for the result.
    GROUPING,

    // Control.

    /// Where the branch goes, or what is pushed: signed bytes from the end of the instruction if
    /// [Form#relative], else unsigned bytes from the start of the code segment. BRX and JMX add
    /// [#SRC_A]. Forms that have [#B_BANK] instead take the number from a constant.
    TARGET,
    /// Flag, `.U`: taken only if every lane of the warp takes it.
    UNIFORM,
    /// Flag, `.LMT`: of branches, the target is checked against a limit.
    LIMIT,
    /// Flag: of calls and PRET, the call depth counts. Clear is `.NOINC`.
    COUNTED,
    /// [BarrierOp].
    BARRIER_OP,
    /// Barrier number in the instruction, 0..15.
    BARRIER,
    /// Register with the barrier number.
    BARRIER_REGISTER,
    /// Number of threads that the barrier waits for, in the instruction, 0..4095.
    THREADS,
    /// Register with the number of threads; 63 stands for all threads of the block.
    THREADS_REGISTER,
    /// Flag, `.TRIG`: NOP raises performance-monitor events, whose mask is [#CODE].
    TRIGGER,
    /// Number in BPT, or mask of NOP.TRIG.
    CODE,
    /// [BreakpointKind].
    BREAKPOINT,
    /// Flag: RTT ends the warp.
    TERMINATE
}
