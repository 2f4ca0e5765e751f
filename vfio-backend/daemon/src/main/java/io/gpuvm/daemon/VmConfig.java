package io.gpuvm.daemon;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.ByteSize;
import io.gpuvm.pv.host.PvQuotas;
import io.gpuvm.sched.policy.TimeShare;
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
/// @param socket where its socket is made: vfio-user's, or that of paravirtual guests
/// @param shadow when its page tables are read; of no meaning in pass-through
/// @param mapping what of its BARs its VMM may map, or null for what is usual with the GPU ([#on]);
///   of no meaning in pass-through
/// @param trustsVmm whether its VMM may have a card's own descriptor, and so the card
/// @param vramBytes how much of the GPU's VRAM it gets ([Board#mibOf]), or [#EQUAL_PART]
/// @param quotas what else a paravirtual guest may have; of no meaning to others
/// @param via what a paravirtual guest comes through; of no meaning to others
/// @param share what it is entitled to of the GPU's time; of no meaning in pass-through
/// @param arenaBytes host memory for what the GPU reads in its name: page tables and channels; a
///   card pins all of it. Of no meaning in pass-through
public record VmConfig(
        String name,
        VmMode mode,
        Path socket,
        ShadowStrategy shadow,
        DirectMapping mapping,
        boolean trustsVmm,
        long vramBytes,
        PvQuotas quotas,
        PvVia via,
        TimeShare share,
        long arenaBytes) {
    /// As [#vramBytes]: as much of what is left as everybody gets who names no size.
    public static final long EQUAL_PART = 0;

    /// As [#arenaBytes]: what those have who name no size, and the most.
    public static final long USUAL_ARENA_BYTES = SharePlan.ARENA;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    /// Bytes of a path that a UNIX socket address holds (`sun_path`, unix(7)), less the final NUL.
    private static final int SOCKET_PATH_BYTES = 107;

    /// Keys that only paravirtual guests have, beside `mode`, `socket` and `vram`.
    private static final Set<String> PV_KEYS =
            Set.of("data", "handles", "spaces", "channels", "pages", "in-flight", "waits", "via");

    private static final Set<String> OTHER_KEYS =
            Set.of(
                    "mode",
                    "socket",
                    "shadow",
                    "map",
                    "trust-vmm",
                    "vram",
                    "weight",
                    "cap",
                    "arena");

    /// Less than this holds no address space of any use.
    private static final long LEAST_ARENA_BYTES = 1L << 20;

    /// One with the usual quotas, a socket, and an equal share.
    public VmConfig(
            String name,
            VmMode mode,
            Path socket,
            ShadowStrategy shadow,
            DirectMapping mapping,
            long vramBytes) {
        this(
                name,
                mode,
                socket,
                shadow,
                mapping,
                false,
                vramBytes,
                PvQuotas.DEFAULT,
                PvVia.SOCKET,
                TimeShare.EQUAL,
                USUAL_ARENA_BYTES);
    }

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
        if (!share.equals(TimeShare.EQUAL) && mode == VmMode.PASSTHROUGH) {
            throw new ConfigException(
                    "--vm %s: weight=%d,cap=%d, limit=none with mode=passthrough: it has all of it"
                            .formatted(name, share.weight(), share.capPercent()));
        }
        if (vramBytes != EQUAL_PART && mode == VmMode.PASSTHROUGH) {
            throw new ConfigException(
                    "--vm %s: vram=%d bytes, limit=none with mode=passthrough: it has all of it"
                            .formatted(name, vramBytes));
        }
        if (trustsVmm && mode != VmMode.FV) {
            throw new ConfigException(
                    "--vm %s: trust-vmm=yes, limit=mode=fv: in other modes a VMM maps nothing"
                            .formatted(name));
        }
        boolean wholePages = arenaBytes % PageSize.SMALL_4K.bytes() == 0;
        if (!wholePages || arenaBytes < LEAST_ARENA_BYTES || arenaBytes > USUAL_ARENA_BYTES) {
            throw new ConfigException(
                    "--vm %s: arena=%d bytes, limit=%d to %d, a multiple of %d"
                            .formatted(
                                    name,
                                    arenaBytes,
                                    LEAST_ARENA_BYTES,
                                    USUAL_ARENA_BYTES,
                                    PageSize.SMALL_4K.bytes()));
        }
    }

    /// The same with what it has of a kind of GPU: everything is mapped on a GPU in software, and
    /// nothing on a card, unless something else was asked for.
    ///
    /// @throws ConfigException if the GPU lets nobody map what was asked for, or only those who are
    ///   trusted
    VmConfig on(GpuSpec gpu) {
        boolean card = gpu instanceof GpuSpec.Vfio;
        if (card && mode == VmMode.FV) {
            requireTrust();
        }
        if (!card && trustsVmm) {
            throw new ConfigException(
                    "--vm %s: trust-vmm=yes, limit=--gpu vfio:BDF: what a GPU in software lets a VMM map is that guest's VRAM alone, so nobody need be trusted; leave it out"
                            .formatted(name));
        }
        if (mapping != null) {
            return this;
        }
        return new VmConfig(
                name,
                mode,
                socket,
                shadow,
                card ? DirectMapping.NONE : DirectMapping.ALL,
                trustsVmm,
                vramBytes,
                quotas,
                via,
                share,
                arenaBytes);
    }

    private void requireTrust() {
        if (trustsVmm && mapping != DirectMapping.BAR3) {
            throw new ConfigException(
                    "--vm %s: trust-vmm=yes, limit=beside map=bar3: nothing else of a card is mapped"
                            .formatted(name));
        }
        if (!trustsVmm && mapping != null && mapping != DirectMapping.NONE) {
            throw new ConfigException(
                    "--vm %s: map=%s, limit=map=none on a card: QEMU would map through the card's own VFIO descriptor, with which it can read all of its VRAM, reset it, and have it reach memory of other guests. If that QEMU is trusted with it: map=bar3,trust-vmm=yes"
                            .formatted(name, mapping.option()));
        }
    }

    /// One that says no more than it must.
    public static VmConfig of(String name, VmMode mode, Path socket) {
        return new VmConfig(name, mode, socket, ShadowStrategy.INCREMENTAL, null, EQUAL_PART);
    }

    /// Reads the value of `--vm`:
    /// `NAME,mode=passthrough|fv|pv,socket=PATH[,shadow=naive|lazy|incremental]
    /// [,map=none|bar3|bar3+pramin|all][,trust-vmm=yes|no][,vram=SIZE][,weight=N][,cap=PCT]
    /// [,arena=SIZE]`, and with `mode=pv`
    /// `[,data=SIZE][,handles=N][,spaces=N][,channels=N][,pages=N][,in-flight=N][,waits=N]
    /// [,via=socket|vfio-user]`.
    ///
    /// @throws ConfigException if a key is unknown, missing or has a bad value
    public static VmConfig parse(String text) {
        OptionList options = OptionList.parse("--vm", text);
        Set<String> known = new TreeSet<>(OTHER_KEYS);
        boolean paravirtual = "pv".equals(options.values().get("mode"));
        if (paravirtual) {
            known.addAll(PV_KEYS);
        }
        options.allowOnly(known);
        return new VmConfig(
                options.head(),
                modeOf(options.head(), options.require("mode")),
                pathOf(options.head(), options.require("socket")),
                shadowOf(options.head(), options.values().get("shadow")),
                mappingOf(options.head(), options.values().get("map")),
                trustOf(options.head(), options.values().get("trust-vmm")),
                vramOf(options.head(), options.values().get("vram")),
                quotasOf(options),
                viaOf(options.head(), options.values().get("via")),
                shareOf(options),
                arenaOf(options.head(), options.values().get("arena")));
    }

    private static TimeShare shareOf(OptionList options) {
        try {
            return new TimeShare(
                    (int) number(options, "weight", TimeShare.EQUAL.weight()),
                    (int) number(options, "cap", TimeShare.NO_CAP));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--vm %s: %s".formatted(options.head(), e.getMessage()), e);
        }
    }

    private static PvQuotas quotasOf(OptionList options) {
        PvQuotas usual = PvQuotas.DEFAULT;
        try {
            String data = options.values().get("data");
            return new PvQuotas(
                    data == null ? usual.dataBytes() : ByteSize.parse("data", data),
                    (int) number(options, "handles", usual.handles()),
                    (int) number(options, "spaces", usual.spaces()),
                    (int) number(options, "channels", usual.channels()),
                    number(options, "pages", usual.mappedPages()),
                    (int) number(options, "in-flight", usual.commandsInFlight()),
                    (int) number(options, "waits", usual.waits()));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--vm %s: %s".formatted(options.head(), e.getMessage()), e);
        }
    }

    private static long number(OptionList options, String key, long usual) {
        String text = options.values().get(key);
        if (text == null) {
            return usual;
        }
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s=%s, limit=a number".formatted(key, text), e);
        }
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
            return null;
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

    private static boolean trustOf(String name, String text) {
        if (text == null || text.equals("no")) {
            return false;
        }
        if (text.equals("yes")) {
            return true;
        }
        throw new ConfigException(
                "--vm %s: trust-vmm=%s is unknown (known: [no, yes])".formatted(name, text));
    }

    private static PvVia viaOf(String name, String text) {
        if (text == null) {
            return PvVia.SOCKET;
        }
        List<String> known = new ArrayList<>();
        for (PvVia via : PvVia.values()) {
            if (via.option().equals(text)) {
                return via;
            }
            known.add(via.option());
        }
        throw new ConfigException(
                "--vm %s: via=%s is unknown (known: %s)".formatted(name, text, known));
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

    private static long arenaOf(String name, String text) {
        if (text == null) {
            return USUAL_ARENA_BYTES;
        }
        try {
            return ByteSize.parse("arena", text);
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
