package io.gpuvm.ptx.check;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Word after the opcode of an instruction, types aside. A word has one constant, even if its
/// meaning depends on the opcode (`.and` of `setp` and of `atom`), with an exception: the
/// comparisons `lo`, `ls`, `hi`, `hs` are [#LT], [#LE], [#GT] and [#GE] with an unsigned type.
public enum PtxModifier {
    // Rounding; the second four round to an integral value.
    RN,
    RZ,
    RM,
    RP,
    RNI,
    RZI,
    RMI,
    RPI,
    // Arithmetic.
    FTZ,
    SAT,
    CC,
    APPROX,
    FULL,
    HI,
    LO,
    WIDE,
    /// The result of `min` and `max` is NaN if an operand is.
    PROPAGATE("NaN"),
    // Comparisons; U means true if an operand is NaN.
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    EQU,
    NEU,
    LTU,
    LEU,
    GTU,
    GEU,
    NUM,
    NAN,
    // Operations within instructions: setp, set, bar.red, atom, red, video instructions.
    AND,
    OR,
    XOR,
    ADD,
    MIN,
    MAX,
    INC,
    DEC,
    EXCH,
    CAS,
    POPC,
    // Bits.
    SHIFTAMT,
    CLAMP,
    WRAP,
    L,
    R,
    F4E,
    B4E,
    RC8,
    ECL,
    ECR,
    RC16,
    // testp.
    FINITE,
    INFINITE,
    NUMBER,
    NOTANUMBER,
    NORMAL,
    SUBNORMAL,
    // Video multiply-add: a + b + 1, and shifts of the result to the right.
    PO,
    SHR7,
    SHR15,
    // State spaces.
    CONST,
    GLOBAL,
    LOCAL,
    PARAM,
    SHARED,
    /// Direction of `cvta.to`.
    TO,
    // Memory accesses.
    V2,
    V4,
    VOLATILE,
    WEAK,
    RELAXED,
    ACQUIRE,
    RELEASE,
    ACQ_REL,
    SC,
    CA,
    CG,
    CS,
    LU,
    CV,
    WB,
    WT,
    NC,
    L1("L1"),
    L2("L2"),
    // Scopes; GL is the scope GPU of membar.
    CTA,
    GL,
    GPU,
    SYS,
    // Control and warps.
    UNI,
    IDX,
    SYNC,
    ARRIVE,
    RED,
    ALIGNED,
    WARP,
    ALL,
    ANY,
    BALLOT,
    UP,
    DOWN,
    BFLY,
    // Textures and surfaces.
    DIM_1D("1d"),
    DIM_2D("2d"),
    DIM_3D("3d"),
    DIM_A1D("a1d"),
    DIM_A2D("a2d"),
    DIM_CUBE("cube"),
    DIM_ACUBE("acube"),
    LEVEL,
    GRAD,
    BASE,
    G,
    B,
    A,
    P,
    TRAP,
    ZERO,
    WIDTH,
    HEIGHT,
    DEPTH,
    CHANNEL_DATA_TYPE,
    CHANNEL_ORDER,
    NORMALIZED_COORDS,
    FILTER_MODE,
    ADDR_MODE_0,
    ADDR_MODE_1,
    ADDR_MODE_2,
    TEXREF,
    SAMPLERREF,
    SURFREF;

    /// Modes of rounding.
    public static final Set<PtxModifier> ROUNDING = range(RN, RPI);

    /// Comparisons.
    public static final Set<PtxModifier> COMPARISONS = range(EQ, NAN);

    /// Boolean operations that combine a comparison with a predicate.
    public static final Set<PtxModifier> COMBINATIONS = range(AND, XOR);

    /// Operations of atomic instructions and of video instructions.
    public static final Set<PtxModifier> OPERATIONS = range(AND, POPC);

    /// State spaces.
    public static final Set<PtxModifier> SPACES = range(CONST, SHARED);

    /// Scopes of fences and accesses.
    public static final Set<PtxModifier> SCOPES = range(CTA, SYS);

    private static final Map<String, PtxModifier> BY_WORD =
            Stream.of(values())
                    .collect(Collectors.toUnmodifiableMap(PtxModifier::word, Function.identity()));

    private final String word;

    PtxModifier() {
        word = name().toLowerCase(Locale.ROOT);
    }

    PtxModifier(String word) {
        this.word = word;
    }

    /// Returns the modifier with a word, or null.
    static PtxModifier of(String word) {
        return BY_WORD.get(word);
    }

    /// Returns the word without its dot.
    public String word() {
        return word;
    }

    private static Set<PtxModifier> range(PtxModifier first, PtxModifier last) {
        return Collections.unmodifiableSet(EnumSet.range(first, last));
    }
}
