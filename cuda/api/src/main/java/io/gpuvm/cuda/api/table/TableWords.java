package io.gpuvm.cuda.api.table;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// Words of the table: the names of enumeration constants in lower case, with dashes.
final class TableWords {
    private TableWords() {}

    /// Returns the word of a constant: `no-reply` for `NO_REPLY`.
    static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Returns the constant that has a word, or null if none has.
    static <E extends Enum<E>> E find(Class<E> type, String word) {
        for (E constant : type.getEnumConstants()) {
            if (of(constant).equals(word)) {
                return constant;
            }
        }
        return null;
    }

    /// Returns all words of an enumeration, separated by commas.
    static String all(Class<? extends Enum<?>> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(TableWords::of)
                .collect(Collectors.joining(", "));
    }
}
