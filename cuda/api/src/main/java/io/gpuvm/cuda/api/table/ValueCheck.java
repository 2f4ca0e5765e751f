package io.gpuvm.cuda.api.table;

/// Condition on the value of a parameter or an operand.
///
/// @param kind form of the condition
/// @param first the limit: of a range the minimum, of a multiple the divisor, of a mask the
///   permitted bits; 0 for forms without a limit
/// @param last maximum of a range; 0 for other forms
public record ValueCheck(Kind kind, long first, long last) {
    /// Form of a condition.
    public enum Kind {
        /// The value is not 0.
        NONZERO,
        /// The value is 0.
        ZERO,
        /// The value is at least [ValueCheck#first()].
        MIN,
        /// The value is between [ValueCheck#first()] and [ValueCheck#last()].
        RANGE,
        /// The value is a multiple of [ValueCheck#first()].
        MULTIPLE,
        /// The value has no bits outside [ValueCheck#first()].
        MASK
    }

    /// Returns the condition in words, as error messages end: `a multiple of 4`.
    public String description() {
        return switch (kind) {
            case NONZERO -> "a value other than 0";
            case ZERO -> "0";
            case MIN -> "at least " + first;
            case RANGE -> first + " to " + last;
            case MULTIPLE -> "a multiple of " + first;
            case MASK -> "bits of 0x" + Long.toHexString(first);
        };
    }

    /// Returns whether a value meets the condition.
    ///
    /// @param value the value; of an unsigned type, its bits extended with zeros
    public boolean accepts(long value) {
        return switch (kind) {
            case NONZERO -> value != 0;
            case ZERO -> value == 0;
            case MIN -> value >= first;
            case RANGE -> value >= first && value <= last;
            case MULTIPLE -> Long.remainderUnsigned(value, first) == 0;
            case MASK -> (value & ~first) == 0;
        };
    }

    /// Reads a word of the table.
    ///
    /// @return null if the word is not a condition
    /// @throws IllegalArgumentException if the word is a condition whose limits are not valid
    static ValueCheck parse(String word) {
        int equals = word.indexOf('=');
        String name = equals < 0 ? word : word.substring(0, equals);
        Kind kind = TableWords.find(Kind.class, name);
        if (kind == null) {
            return null;
        }
        boolean hasLimit = kind != Kind.NONZERO && kind != Kind.ZERO;
        if (hasLimit != equals >= 0) {
            throw new IllegalArgumentException(
                    word + (hasLimit ? ", expected a limit" : ", expected no limit"));
        }
        if (!hasLimit) {
            return new ValueCheck(kind, 0, 0);
        }
        return withLimit(kind, word, word.substring(equals + 1));
    }

    private static ValueCheck withLimit(Kind kind, String word, String limit) {
        try {
            if (kind == Kind.RANGE) {
                int dots = limit.indexOf("..");
                long first = Long.decode(limit.substring(0, Math.max(dots, 0)));
                long last = Long.decode(limit.substring(dots + 2));
                if (first > last) {
                    throw new IllegalArgumentException(word + ", expected an ascending range");
                }
                return new ValueCheck(kind, first, last);
            }
            long first = Long.decode(limit);
            if (first <= 0 && kind != Kind.MIN) {
                throw new IllegalArgumentException(word + ", expected a limit of at least 1");
            }
            return new ValueCheck(kind, first, 0);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(word + ", expected a number or A..B", e);
        }
    }
}
