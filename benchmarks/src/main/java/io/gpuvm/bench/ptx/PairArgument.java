package io.gpuvm.bench.ptx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/// Argument of a launch of both compilations of a kernel.
///
/// @param kind kind of argument
/// @param text value of a number, or bytes of memory
record PairArgument(Kind kind, String text) {
    private static final long SEED = 28;
    private static final int FLOATS_TO = 4;

    enum Kind {
        U8,
        I32,
        U32,
        U64,
        F32,
        F64,
        /// Memory with random words.
        RANDOM,
        /// Memory with random floats from -4 to 4.
        FLOATS,
        /// Memory with random doubles from -4 to 4.
        DOUBLES,
        /// Memory with the words 0, 1, 2 ...
        INDICES,
        /// Memory with the words 0, N, 2 N ... in pairs of the begin and the end of a range:
        /// `BYTES/N`.
        RANGES,
        /// Memory with equal words: `BYTES/WORD`.
        WORDS,
        ZERO
    }

    /// Parses `u32:5`, `random:4096` and the like.
    ///
    /// @throws IllegalArgumentException if the kind is unknown
    static PairArgument parse(String word) {
        int colon = word.indexOf(':');
        for (Kind kind : Kind.values()) {
            if (colon > 0 && kind.name().equalsIgnoreCase(word.substring(0, colon))) {
                return new PairArgument(kind, word.substring(colon + 1));
            }
        }
        throw new IllegalArgumentException(
                "argument=%s, expected KIND:VALUE with one of %s"
                        .formatted(word, Arrays.toString(Kind.values())));
    }

    /// Returns whether the kernel computes with doubles.
    boolean isWide() {
        return kind == Kind.DOUBLES || kind == Kind.F64;
    }

    /// Returns the initial contents of memory.
    byte[] contents() {
        String[] parts = text.split("/");
        ByteBuffer bytes =
                ByteBuffer.allocate(Integer.parseInt(parts[0])).order(ByteOrder.LITTLE_ENDIAN);
        SplittableRandom random = new SplittableRandom(SEED);
        int unit = kind == Kind.DOUBLES ? Double.BYTES : Integer.BYTES;
        for (int i = 0; bytes.remaining() >= unit; i++) {
            switch (kind) {
                case RANDOM -> bytes.putInt(random.nextInt());
                case FLOATS -> bytes.putFloat((float) random.nextDouble(-FLOATS_TO, FLOATS_TO));
                case DOUBLES -> bytes.putDouble(random.nextDouble(-FLOATS_TO, FLOATS_TO));
                case INDICES -> bytes.putInt(i);
                case RANGES -> bytes.putInt((i + 1) / 2 * Integer.parseInt(parts[1]));
                case WORDS -> bytes.putInt(Integer.parseInt(parts[1]));
                default -> bytes.putInt(0);
            }
        }
        return bytes.array();
    }
}
