package io.gpuvm.options;

import java.util.LinkedHashMap;
import java.util.Map;

/// Parser of options of the form `[HEAD,]KEY=VALUE[,KEY=VALUE]...`, such as `--vm`, `--gpu` and
/// `--policy`. The caller defines the keys and their values, and prefixes error messages with the
/// option's name.
public final class KeyValues {
    private static final char SEPARATOR = ',';

    private KeyValues() {}

    /// Returns the part of `text` before the first comma.
    public static String head(String text) {
        int comma = text.indexOf(SEPARATOR);
        return comma < 0 ? text : text.substring(0, comma);
    }

    /// Splits the part of `text` after the head.
    ///
    /// @throws IllegalArgumentException as for [#parse]
    public static Map<String, String> afterHead(String text) {
        int comma = text.indexOf(SEPARATOR);
        return comma < 0 ? new LinkedHashMap<>() : parse(text.substring(comma + 1));
    }

    /// Splits `text`, which has no head.
    ///
    /// @return keys and values in the order of the text; the caller may modify the map
    /// @throws IllegalArgumentException if a part is not of the form `KEY=VALUE` with a nonempty
    ///   key and a nonempty value, or if a key is given twice; the message names the part or the
    ///   key
    public static Map<String, String> parse(String text) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String part : text.split(String.valueOf(SEPARATOR), -1)) {
            int equals = part.indexOf('=');
            if (equals <= 0 || equals == part.length() - 1) {
                throw new IllegalArgumentException(
                        "'%s' is not of the form KEY=VALUE".formatted(part));
            }
            String key = part.substring(0, equals);
            if (values.put(key, part.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("key '%s' is given twice".formatted(key));
            }
        }
        return values;
    }

    /// Returns the entries as text, `KEY=VALUE,KEY=VALUE`, in the map's order; empty if there are
    /// no entries.
    public static String text(Map<String, String> values) {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) -> {
            text.append(text.isEmpty() ? "" : SEPARATOR).append(key).append('=').append(value);
        });
        return text.toString();
    }
}
