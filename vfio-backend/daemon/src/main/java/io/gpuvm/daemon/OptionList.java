package io.gpuvm.daemon;

import io.gpuvm.options.KeyValues;
import java.util.Map;
import java.util.Set;

/// Value of a command line option of the form `HEAD[,KEY=VALUE]...`.
///
/// @param option name of the option, for error messages
/// @param head first word
/// @param values keys and values that follow, in order
public record OptionList(String option, String head, Map<String, String> values) {
    /// Splits the text into its head and its keys and values.
    ///
    /// @throws ConfigException if the head is missing or is itself `KEY=VALUE`, if a part is not of
    ///   the form `KEY=VALUE`, or if a key is given twice
    public static OptionList parse(String option, String text) {
        String head = KeyValues.head(text);
        if (head.isBlank() || head.contains("=")) {
            throw new ConfigException(
                    "%s %s: the first word must be a name, not '%s'".formatted(option, text, head));
        }
        try {
            return new OptionList(option, head, KeyValues.afterHead(text));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("%s %s: %s".formatted(option, text, e.getMessage()), e);
        }
    }

    /// Returns the value of a mandatory key.
    String require(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new ConfigException("%s %s: %s=... is missing".formatted(option, head, key));
        }
        return value;
    }

    /// Throws [ConfigException] if a key is unknown.
    void allowOnly(Set<String> known) {
        for (String key : values.keySet()) {
            if (!known.contains(key)) {
                throw new ConfigException(
                        "%s %s: key=%s, expected one of %s"
                                .formatted(option, head, key, String.join(", ", known)));
            }
        }
    }

    /// Throws [ConfigException] if there is any key.
    void allowNone() {
        if (!values.isEmpty()) {
            throw new ConfigException(
                    "%s %s: key=%s, expected no keys"
                            .formatted(option, head, values.keySet().iterator().next()));
        }
    }

    /// Returns the values as written, without the head: `k=v,k=v`.
    String valuesText() {
        return KeyValues.text(values);
    }
}
