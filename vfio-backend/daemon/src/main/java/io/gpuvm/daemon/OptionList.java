package io.gpuvm.daemon;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// The value of a command line option of the form `HEAD[,KEY=VALUE]...`.
///
/// @param option the option's name, for error messages
/// @param head the first word
/// @param values the keys and values that follow, in the order given
public record OptionList(String option, String head, Map<String, String> values) {
    /// Splits `text`.
    ///
    /// @throws ConfigException if the head is missing or is itself `KEY=VALUE`, if a part is not of
    ///   the form `KEY=VALUE`, or if a key comes twice
    public static OptionList parse(String option, String text) {
        String[] parts = text.split(",", -1);
        if (parts[0].isBlank() || parts[0].contains("=")) {
            throw new ConfigException(
                    "%s %s: the first word must be a name, not '%s'"
                            .formatted(option, text, parts[0]));
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 1; i < parts.length; i++) {
            int equals = parts[i].indexOf('=');
            if (equals <= 0 || equals == parts[i].length() - 1) {
                throw new ConfigException(
                        "%s %s: '%s' is not of the form KEY=VALUE"
                                .formatted(option, text, parts[i]));
            }
            if (values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1)) != null) {
                throw new ConfigException(
                        "%s %s: '%s' is given twice".formatted(option, text, parts[i]));
            }
        }
        return new OptionList(option, parts[0], values);
    }

    /// The value of a key that must be there.
    String require(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new ConfigException("%s %s: %s=... is missing".formatted(option, head, key));
        }
        return value;
    }

    /// Refuses keys that nobody asked for.
    void allowOnly(Set<String> known) {
        for (String key : values.keySet()) {
            if (!known.contains(key)) {
                throw new ConfigException(
                        "%s %s: unknown key '%s' (known: %s)"
                                .formatted(option, head, key, String.join(", ", known)));
            }
        }
    }

    /// Refuses every key.
    void allowNone() {
        if (!values.isEmpty()) {
            throw new ConfigException(
                    "%s %s: takes no keys, but has '%s'"
                            .formatted(option, head, values.keySet().iterator().next()));
        }
    }

    /// The values as they were written, without the head: `k=v,k=v`.
    String valuesText() {
        StringBuilder text = new StringBuilder();
        values.forEach((key, value) ->
                text.append(text.isEmpty() ? "" : ",").append(key).append('=').append(value));
        return text.toString();
    }
}
