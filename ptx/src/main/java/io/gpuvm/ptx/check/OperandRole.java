package io.gpuvm.ptx.check;

/// Role of an operand in the table of instructions.
enum OperandRole {
    RESULT('r'),
    /// Result of a memory access or conversion: wider registers are allowed.
    WIDE_RESULT('R'),
    SOURCE('s'),
    WIDE_SOURCE('S'),
    SOURCE_OR_ADDRESS('a'),
    /// Source of a memory access: one value, or a vector.
    STORED('V'),
    PREDICATES('p'),
    RESULT_AND_PREDICATE('q'),
    NEGATABLE('n'),
    MEMORY('m'),
    CONSTANT('i'),
    LABEL('l'),
    TARGETS('t'),
    VIDEO_RESULT('d'),
    VIDEO_SOURCE('v'),
    VIDEO_THIRD('u'),
    IMAGE_AND_COORDINATES('x'),
    IMAGE('y'),
    GRADIENT('g'),
    TEXTURE_RESULT('o');

    private final char letter;

    OperandRole(char letter) {
        this.letter = letter;
    }

    static OperandRole of(char letter) {
        for (OperandRole role : values()) {
            if (role.letter == letter) {
                return role;
            }
        }
        throw new IllegalArgumentException("role=" + letter);
    }
}
