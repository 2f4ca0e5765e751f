package io.gpuvm.options;

import java.util.LinkedHashMap;
import java.util.Map;

/// Splits options of the form `[HEAD,]KEY=VALUE[,KEY=VALUE]...`: for `--vm`, `--gpu`, `--policy`
/// and whatever else is written so. What keys there are, and what values, is for the caller to say,
/// who puts the option's name before a message.
public final class KeyValues {
    private static final char SEPARATOR = ',';

    private KeyValues() {}

    /// The part of `text` before the first comma.
    public static String head(String text) {
        int comma = text.indexOf(SEPARATOR);
        return comma < 0 ? text : text.substring(0, comma);
    }

    /// Splits what follows the head of `text`.
    ///
    /// @throws IllegalArgumentException as for [#parse]
    public static Map<String, String> afterHead(String text) {
        int comma = text.indexOf(SEPARATOR);
        return comma < 0 ? new LinkedHashMap<>() : parse(text.substring(comma + 1));
    }

    /// Splits `text`, which has no head.
    ///
    /// @return the caller's, in the order given
    /// @throws IllegalArgumentException naming the part that is not of the form `KEY=VALUE` with at
    ///   least a character each, or whose key came before
    public static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : text.split(String.valueOf(SEPARATOR), -1)) {
            int equals = part.indexOf('=');
            if (equals <= 0 || equals == part.length() - 1) {
                throw new IllegalArgumentException(
                        "'%s' is not of the form KEY=VALUE".formatted(part));
            }
            if (values.put(part.substring(0, equals), part.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("'%s' is given twice".formatted(part));
            }
        }
        return values;
    }

    /// The options as they were written: `KEY=VALUE,KEY=VALUE`, in their order; empty if there are
    /// none.
    public static String text(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> {
            text.append(text.isEmpty() ? "" : SEPARATOR).append(key).append('=').append(value);
        });
        return text.toString();
    }
}
