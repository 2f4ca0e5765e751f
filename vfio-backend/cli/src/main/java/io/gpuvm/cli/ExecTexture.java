package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.runtime.TexelFormat;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/// A texture of a module, as given by `gpuvm exec --texture`.
///
/// @param format format of each channel
/// @param channels number of components of a texel
/// @param memory memory of the texels
record ExecTexture(String name, TexelFormat format, int channels, ExecArgument.Buffer memory) {
    private static final String CHANNELS_MARK = "x";

    /// Parses the value of one `--texture`. Accesses no file.
    ///
    /// @throws ConfigException if the value is invalid; the message names the value and the limit
    static ExecTexture parse(String text) {
        int equals = text.indexOf('=');
        int colon = text.indexOf(':', equals + 1);
        try {
            if (equals < 1 || colon < 0) {
                throw new IllegalArgumentException("expected NAME=FORMAT:ARG");
            }
            String format = text.substring(equals + 1, colon);
            int mark = format.indexOf(CHANNELS_MARK);
            return new ExecTexture(
                    text.substring(0, equals),
                    format(mark < 0 ? format : format.substring(0, mark)),
                    mark < 0 ? 1 : channels(format.substring(mark + 1)),
                    memory(text.substring(colon + 1)));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--texture %s: %s".formatted(text, e.getMessage()), e);
        }
    }

    private static TexelFormat format(String text) {
        for (TexelFormat format : TexelFormat.values()) {
            if (name(format).equals(text)) {
                return format;
            }
        }
        String all =
                Arrays.stream(TexelFormat.values())
                        .map(ExecTexture::name)
                        .collect(Collectors.joining(", "));
        throw new IllegalArgumentException("format=%s, expected one of %s".formatted(text, all));
    }

    private static String name(TexelFormat format) {
        return format.name().toLowerCase(Locale.ROOT);
    }

    private static int channels(String text) {
        return switch (text) {
            case "1" -> 1;
            case "2" -> 2;
            case "4" -> 4;
            default ->
                    throw new IllegalArgumentException(
                            "channels=%s, expected one of 1, 2, 4".formatted(text));
        };
    }

    private static ExecArgument.Buffer memory(String text) {
        if (ExecArgument.read(text) instanceof ExecArgument.Buffer buffer) {
            return buffer;
        }
        throw new IllegalArgumentException("argument=%s, expected memory".formatted(text));
    }
}
