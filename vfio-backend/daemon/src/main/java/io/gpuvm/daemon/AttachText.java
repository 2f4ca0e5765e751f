package io.gpuvm.daemon;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Set;

/// Converts a request to attach a virtual machine to the text of `--vm`, so that both have the same
/// keys, limits and errors.
final class AttachText {
    private static final String NAME = "vm";

    /// Keys of the request that are not keys of `--vm`.
    private static final Set<String> OTHER_KEYS = Set.of("request", NAME);

    /// Separator of keys, which no value can contain.
    private static final String SEPARATOR = ",";

    private AttachText() {}

    /// Returns the text.
    ///
    /// @param request object whose values are strings or whole numbers
    /// @throws ConfigException if a value is not valid in the text
    static String of(JsonNode request) {
        StringBuilder text = new StringBuilder(valueOf(NAME, request.path(NAME)));
        for (Map.Entry<String, JsonNode> key : request.properties()) {
            if (!OTHER_KEYS.contains(key.getKey())) {
                text.append(SEPARATOR).append(key.getKey());
                text.append('=').append(valueOf(key.getKey(), key.getValue()));
            }
        }
        return text.toString();
    }

    private static String valueOf(String key, JsonNode value) {
        if (value.isTextual() && !value.asText().contains(SEPARATOR) || value.isIntegralNumber()) {
            return value.asText();
        }
        throw new ConfigException(
                "attach: %s=%s, expected a string without commas, or a whole number"
                        .formatted(key, value.isMissingNode() ? "" : value));
    }
}
