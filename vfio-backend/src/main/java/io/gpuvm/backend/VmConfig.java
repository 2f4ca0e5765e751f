package io.gpuvm.backend;

import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.ByteSize;
import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.trap.vgpu.DirectMapping;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
/// @param mapping what of its BARs its VMM may map, if the GPU can; of no meaning in pass-through
/// @param vramBytes how much of the GPU's VRAM it gets ([Board#mibOf]), or [#EQUAL_PART]
public record VmConfig(
        String name,
        VmMode mode,
        Path socket,
        ShadowStrategy shadow,
        DirectMapping mapping,
        long vramBytes) {
    /// As [#vramBytes]: as much of what is left as everybody gets who names no size.
    public static final long EQUAL_PART = 0;

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
        if (vramBytes != EQUAL_PART && mode == VmMode.PASSTHROUGH) {
            throw new ConfigException(
                    "--vm %s: vram=%d bytes, limit=none with mode=passthrough: it has all of it"
                            .formatted(name, vramBytes));
        }
    }

    /// One that says no more than it must.
    public static VmConfig of(String name, VmMode mode, Path socket) {
        return new VmConfig(
                name, mode, socket, ShadowStrategy.INCREMENTAL, DirectMapping.ALL, EQUAL_PART);
    }

    /// Reads the value of `--vm`:
    /// `NAME,mode=passthrough|fv,socket=PATH[,shadow=naive|lazy|incremental]
    /// [,map=none|bar3|bar3+pramin|all][,vram=SIZE]`.
    ///
    /// @throws ConfigException if a key is unknown, missing or has a bad value
    public static VmConfig parse(String text) {
        OptionList options = OptionList.parse("--vm", text);
        options.allowOnly(new TreeSet<>(Set.of("mode", "socket", "shadow", "map", "vram")));
        return new VmConfig(
                options.head(),
                modeOf(options.head(), options.require("mode")),
                pathOf(options.head(), options.require("socket")),
                shadowOf(options.head(), options.values().get("shadow")),
                mappingOf(options.head(), options.values().get("map")),
                vramOf(options.head(), options.values().get("vram")));
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

    private static DirectMapping mappingOf(String name, String text) {
        if (text == null) {
            return DirectMapping.ALL;
        }
        List<String> known = new ArrayList<>();
        for (DirectMapping mapping : DirectMapping.values()) {
            if (mapping.option().equals(text)) {
                return mapping;
            }
            known.add(mapping.option());
        }
        throw new ConfigException(
                "--vm %s: map=%s is unknown (known: %s)".formatted(name, text, known));
    }

    private static long vramOf(String name, String text) {
        if (text == null) {
            return EQUAL_PART;
        }
        try {
            long bytes = ByteSize.parse("vram", text);
            Board.mibOf(bytes);
            return bytes;
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--vm %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    private static Path pathOf(String name, String text) {
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new ConfigException("--vm %s: socket=%s is no path".formatted(name, text), e);
        }
    }
}
