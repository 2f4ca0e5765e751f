package io.gpuvm.backend;

import io.gpuvm.shadow.ShadowStrategy;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// One virtual machine to serve.
///
/// @param name how logs and statistics call it
/// @param mode how it reaches the GPU
/// @param socket where its vfio-user socket is made
/// @param shadow when its page tables are read; of no meaning in pass-through
public record VmConfig(String name, VmMode mode, Path socket, ShadowStrategy shadow) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    /// Bytes of a path that a UNIX socket address holds (`sun_path`, unix(7)), less the final NUL.
    private static final int SOCKET_PATH_BYTES = 107;

    public VmConfig {
        if (!NAME.matcher(name).matches()) {
            throw new ConfigException(
                    "--vm %s: the name must match %s".formatted(name, NAME.pattern()));
        }
        int bytes = socket.toString().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > SOCKET_PATH_BYTES) {
            throw new ConfigException(
                    "--vm %s: socket=%s has %d bytes, limit=%d (a UNIX socket's path)"
                            .formatted(name, socket, bytes, SOCKET_PATH_BYTES));
        }
    }

    /// Reads the value of `--vm`:
    /// `NAME,mode=passthrough|fv,socket=PATH[,shadow=naive|lazy|incremental]`.
    ///
    /// @throws ConfigException if a key is unknown, missing or has a bad value
    public static VmConfig parse(String text) {
        OptionList options = OptionList.parse("--vm", text);
        options.allowOnly(new TreeSet<>(Set.of("mode", "socket", "shadow")));
        return new VmConfig(
                options.head(),
                modeOf(options.head(), options.require("mode")),
                pathOf(options.head(), options.require("socket")),
                shadowOf(options.head(), options.values().get("shadow")));
    }

    private static VmMode modeOf(String name, String text) {
        for (VmMode mode : VmMode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
                return mode;
            }
        }
        throw new ConfigException(
                "--vm %s: mode=%s is unknown (known: %s)"
                        .formatted(
                                name,
                                text,
                                Arrays.toString(VmMode.values()).toLowerCase(Locale.ROOT)));
    }

    private static ShadowStrategy shadowOf(String name, String text) {
        if (text == null) {
            return ShadowStrategy.INCREMENTAL;
        }
        for (ShadowStrategy strategy : ShadowStrategy.values()) {
            if (strategy.name().toLowerCase(Locale.ROOT).equals(text)) {
                return strategy;
            }
        }
        throw new ConfigException(
                "--vm %s: shadow=%s is unknown (known: %s)"
                        .formatted(
                                name,
                                text,
                                Arrays.toString(ShadowStrategy.values()).toLowerCase(Locale.ROOT)));
    }

    private static Path pathOf(String name, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new ConfigException("--vm %s: socket=%s is no path".formatted(name, text), e);
        }
    }
}
