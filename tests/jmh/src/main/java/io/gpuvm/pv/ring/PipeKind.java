package io.gpuvm.pv.ring;

import java.lang.foreign.Arena;

/// Kinds of pipes to compare.
enum PipeKind {
    /// Single word without a ring.
    WORD,
    /// Rings of shared areas.
    OWN,
    /// Agrona's ring.
    AGRONA;

    private static final int ENTRIES = 1 << 10;

    Pipe open(Arena arena) {
        return switch (this) {
            case WORD -> new WordPipe(arena);
            case OWN -> new OwnPipe(arena, ENTRIES);
            case AGRONA -> new AgronaPipe(ENTRIES);
        };
    }
}
