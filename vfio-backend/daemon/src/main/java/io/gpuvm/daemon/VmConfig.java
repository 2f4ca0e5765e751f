package io.gpuvm.daemon;

import io.gpuvm.gf100.mmu.PageSize;
import io.gpuvm.gf100.unit.ByteSize;
import io.gpuvm.linux.SocketAccess;
import io.gpuvm.pv.host.PvQuotas;
import io.gpuvm.sched.policy.TimeShare;
import io.gpuvm.shadow.ShadowStrategy;
import io.gpuvm.trap.vgpu.DirectMapping;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;

/// Configuration of one virtual machine.
///
/// @param name name in logs and statistics
/// @param mode access to the GPU
/// @param socket path of its socket: vfio-user's, or that of paravirtual guests
/// @param shadow time at which its page tables are read; unused in pass-through
/// @param mapping BARs that its VMM may map, or null for the default of the GPU ([#on]); unused by
///   paravirtual guests
/// @param trustsVmm whether its VMM may receive the card's own descriptor, and thereby control of
///   the card
/// @param vram size of its VRAM
/// @param quotas other limits of a paravirtual virtual machine; unused in other modes
/// @param via transport of paravirtual guests; unused in other modes
/// @param share share of the GPU's time; unused in pass-through
/// @param access users and groups whose processes may connect to the socket
/// @param arenaBytes host memory for the structures that the GPU reads for the guest: page tables
///   and channels; a card pins all of it. Unused in pass-through
public record VmConfig(
        String name,
        VmMode mode,
        Path socket,
        ShadowStrategy shadow,
        DirectMapping mapping,
        boolean trustsVmm,
        VramSize vram,
        PvQuotas quotas,
        PvVia via,
        TimeShare share,
        long arenaBytes,
        SocketAccess access) {
    /// Default value of [#arenaBytes], and its maximum.
    public static final long USUAL_ARENA_BYTES = BusPlan.ARENA;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{1,32}");

    /// Maximum length in bytes of a path that fits into a UNIX socket address (`sun_path`,
    /// unix(7)), without the final NUL.
    private static final int SOCKET_PATH_BYTES = 107;

    /// Keys that are valid only for paravirtual guests.
    private static final Set<String> PV_KEYS =
            Set.of(
                    "sessions",
                    "data",
                    "handles",
                    "spaces",
                    "channels",
                    "pages",
                    "in-flight",
                    "waits",
                    "via");

    /// Keys that are valid only for CUDA programs.
    private static final Set<String> CUDA_KEYS =
            Set.of("sessions", "data", "handles", "spaces", "channels", "pages", "via");

    private static final Set<String> OTHER_KEYS =
            Set.of(
                    "gpus",
                    "uid",
                    "gid",
                    "mode",
                    "socket",
                    "shadow",
                    "map",
                    "trust-vmm",
                    "vram",
                    "weight",
                    "cap",
                    "arena");

    /// Minimum size of an arena; a smaller arena holds no useful address space.
    private static final long LEAST_ARENA_BYTES = 1L << 20;

    /// Creates a configuration with defaults for all other values.
    public VmConfig(
            String name,
            VmMode mode,
            Path socket,
            ShadowStrategy shadow,
            DirectMapping mapping,
            VramSize vram) {
        this(
                name,
                mode,
                socket,
                shadow,
                mapping,
                false,
                vram,
                PvQuotas.DEFAULT,
                PvVia.SOCKET,
                TimeShare.EQUAL,
                USUAL_ARENA_BYTES,
                SocketAccess.OWN_USER);
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
                    "--vm %s: weight=%d,cap=%d: not valid with mode=passthrough, which has the whole GPU"
                            .formatted(name, share.weight(), share.capPercent()));
        }
        if (!vram.equals(VramSize.EQUAL_PART) && mode == VmMode.PASSTHROUGH) {
            throw new ConfigException(
                    "--vm %s: vram=%s: not valid with mode=passthrough, which has all VRAM"
                            .formatted(name, vram));
        }
        if (trustsVmm && mode != VmMode.FV) {
            throw new ConfigException(
                    "--vm %s: trust-vmm=yes requires mode=fv: otherwise no VMM maps the card"
                            .formatted(name));
        }
        if (mode.isParavirtual() && quotas.addresses() > BusPlan.MEMORY) {
            throw new ConfigException(
                    "--vm %s: sessions=%d,data=%d: together %d bytes, limit=%d (bus addresses of a virtual machine)"
                            .formatted(
                                    name,
                                    quotas.sessions(),
                                    quotas.dataBytes(),
                                    quotas.addresses(),
                                    BusPlan.MEMORY));
        }
        boolean wholePages = arenaBytes % PageSize.SMALL_4K.bytes() == 0;
        if (!wholePages || arenaBytes < LEAST_ARENA_BYTES || arenaBytes > USUAL_ARENA_BYTES) {
            throw new ConfigException(
                    "--vm %s: arena=%d bytes, expected %d to %d, a multiple of %d"
                            .formatted(
                                    name,
                                    arenaBytes,
                                    LEAST_ARENA_BYTES,
                                    USUAL_ARENA_BYTES,
                                    PageSize.SMALL_4K.bytes()));
        }
    }

    /// Returns the size of the VRAM in bytes, 0 for an equal part.
    ///
    /// @param gpuBytes size of the GPU's VRAM
    /// @throws ConfigException if the size is out of range
    long vramBytes(long gpuBytes) {
        try {
            return vram.of(gpuBytes);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--vm %s: %s".formatted(name, e.getMessage()), e);
        }
    }

    /// Returns a copy adapted to a kind of GPU: by default, everything is mapped for a virtual GPU
    /// on a software GPU, and nothing on a card. In pass-through, nothing is mapped by default,
    /// because a guest with any driver must see the behaviour of the whole GPU; see
    /// `docs/virtual-gpu.md` for the differences.
    ///
    /// @throws ConfigException if the GPU does not permit the requested mapping, or permits it only
    ///   to a trusted VMM
    VmConfig on(GpuSpec gpu) {
        boolean card = gpu instanceof GpuSpec.Vfio;
        if (card && mode == VmMode.FV) {
            requireTrust();
        }
        if (card && mode == VmMode.PASSTHROUGH) {
            requireTrapped();
        }
        if (!card && trustsVmm) {
            throw new ConfigException(
                    "--vm %s: trust-vmm=yes requires --gpu vfio:BDF: a software GPU shares only that guest's VRAM with a VMM, so no trust is needed; omit trust-vmm"
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
                card || mode == VmMode.PASSTHROUGH ? DirectMapping.NONE : DirectMapping.ALL,
                trustsVmm,
                vram,
                quotas,
                via,
                share,
                arenaBytes,
                access);
    }

    private void requireTrust() {
        if (trustsVmm && mapping != DirectMapping.BAR3) {
            throw new ConfigException(
                    "--vm %s: trust-vmm=yes requires map=bar3: no other part of a card is mapped"
                            .formatted(name));
        }
        if (!trustsVmm && mapping != null && mapping != DirectMapping.NONE) {
            throw new ConfigException(
                    "--vm %s: map=%s: a card requires map=none: QEMU would map through the card's own VFIO descriptor, which permits reading all of the card's VRAM, resetting the card, and making it access memory of other guests. If QEMU is trusted with this descriptor: map=bar3,trust-vmm=yes"
                            .formatted(name, mapping.option()));
        }
    }

    private void requireTrapped() {
        if (mapping != null && mapping != DirectMapping.NONE) {
            throw new ConfigException(
                    "--vm %s: map=%s: a card with mode=passthrough requires map=none: QEMU would map through the card's own VFIO descriptor, which permits resetting the card, and accessing the card while another client is connected"
                            .formatted(name, mapping.option()));
        }
    }

    /// Creates a configuration with defaults for all other values.
    public static VmConfig of(String name, VmMode mode, Path socket) {
        return new VmConfig(
                name, mode, socket, ShadowStrategy.INCREMENTAL, null, VramSize.EQUAL_PART);
    }

    /// Parses the value of `--vm`:
    /// `NAME,mode=passthrough|fv|pv|cuda,socket=PATH[,shadow=naive|lazy|incremental]
    /// [,map=none|bar3|bar3+pramin|all][,trust-vmm=yes|no][,vram=SIZE][,weight=N][,cap=PCT]
    /// [,arena=SIZE][,uid=N][,gid=N][,gpus=1]`, with `mode=pv` and `mode=cuda`
    /// `[,sessions=N][,data=SIZE][,handles=N][,spaces=N][,channels=N][,pages=N]
    /// [,via=socket|vfio-user]`, and with `mode=pv` `[,in-flight=N][,waits=N]`.
    ///
    /// @throws ConfigException if a key is unknown or missing, or has an invalid value
    public static VmConfig parse(String text) {
        return parse(text, null);
    }

    /// Parses the value of `--vm`.
    ///
    /// @param folder folder of the socket `NAME.sock` if the text names no socket; null if it must
    ///   name one
    /// @throws ConfigException if a key is unknown or missing, or has an invalid value
    public static VmConfig parse(String text, Path folder) {
        OptionList options = OptionList.parse("--vm", text);
        options.allowOnly(keysOf(options.values().get("mode")));
        VmMode mode = modeOf(options.head(), options.require("mode"));
        checkGpus(options);
        return new VmConfig(
                options.head(),
                mode,
                socketOf(options, folder),
                shadowOf(options.head(), options.values().get("shadow")),
                mappingOf(options.head(), options.values().get("map")),
                trustOf(options.head(), options.values().get("trust-vmm")),
                vramOf(options.head(), options.values().get("vram")),
                quotasOf(options, mode == VmMode.CUDA ? PvQuotas.CUDA : PvQuotas.DEFAULT),
                viaOf(options.head(), options.values().get("via")),
                shareOf(options),
                arenaOf(options.head(), options.values().get("arena")),
                accessOf(options));
    }

    /// Returns the keys of `--vm` with a mode, in alphabetical order.
    ///
    /// @param mode any text, or null
    public static Set<String> keysOf(String mode) {
        Set<String> known = new TreeSet<>(OTHER_KEYS);
        switch (mode) {
            case "pv" -> known.addAll(PV_KEYS);
            case "cuda" -> known.addAll(CUDA_KEYS);
            case null, default -> {
                // Other modes have no keys of their own.
            }
        }
        return known;
    }

    private static Path socketOf(OptionList options, Path folder) {
        if (folder != null && options.values().get("socket") == null) {
            return folder.resolve(options.head() + ".sock");
        }
        return pathOf(options.head(), options.require("socket"));
    }

    private static void checkGpus(OptionList options) {
        String gpus = options.values().get("gpus");
        if (gpus != null && !gpus.equals("1")) {
            throw new ConfigException(
                    "--vm %s: gpus=%s, expected 1 (a backend owns one GPU)"
                            .formatted(options.head(), gpus));
        }
    }

    private static SocketAccess accessOf(OptionList options) {
        try {
            return new SocketAccess(numberOfId(options, "uid"), numberOfId(options, "gid"));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--vm %s: %s".formatted(options.head(), e.getMessage()), e);
        }
    }

    private static int numberOfId(OptionList options, String key) {
        long id = number(options, key, SocketAccess.NONE);
        if (id < 0 && options.values().containsKey(key)) {
            throw new IllegalArgumentException("%s=%d, expected 0 or more".formatted(key, id));
        }
        return (int) id;
    }

    /// Returns a copy with another time share.
    VmConfig with(TimeShare other) {
        return new VmConfig(
                name,
                mode,
                socket,
                shadow,
                mapping,
                trustsVmm,
                vram,
                quotas,
                via,
                other,
                arenaBytes,
                access);
    }

    /// Returns the settings: value as text, by key of `--vm`.
    Map<String, String> settings() {
        return mode.isParavirtual() ? programSettings() : functionSettings();
    }

    private Map<String, String> functionSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("mode", lowerCase(mode));
        settings.put("socket", socket.toAbsolutePath().normalize().toString());
        settings.put("map", mapping.option());
        if (mode == VmMode.FV) {
            settings.put("vram", vram.toString());
            settings.put("weight", String.valueOf(share.weight()));
            settings.put("cap", String.valueOf(share.capPercent()));
            settings.put("arena", String.valueOf(arenaBytes));
            settings.put("shadow", lowerCase(shadow));
            settings.put("trust-vmm", trustsVmm ? "yes" : "no");
        }
        settings.put("uid", String.valueOf(access.uid()));
        settings.put("gid", String.valueOf(access.gid()));
        return settings;
    }

    /// Returns the settings of a virtual machine whose guests are programs.
    private Map<String, String> programSettings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("mode", lowerCase(mode));
        settings.put("via", via.option());
        settings.put("socket", socket.toAbsolutePath().normalize().toString());
        settings.put("vram", vram.toString());
        settings.put("weight", String.valueOf(share.weight()));
        settings.put("cap", String.valueOf(share.capPercent()));
        settings.put("arena", String.valueOf(arenaBytes));
        settings.put("uid", String.valueOf(access.uid()));
        settings.put("gid", String.valueOf(access.gid()));
        settings.put("sessions", String.valueOf(quotas.sessions()));
        settings.put("data", String.valueOf(quotas.dataBytes()));
        settings.put("handles", String.valueOf(quotas.handles()));
        settings.put("spaces", String.valueOf(quotas.spaces()));
        settings.put("channels", String.valueOf(quotas.channels()));
        settings.put("pages", String.valueOf(quotas.mappedPages()));
        settings.put("in-flight", String.valueOf(quotas.commandsInFlight()));
        settings.put("waits", String.valueOf(quotas.waits()));
        return settings;
    }

    /// Returns the first setting that differs from that of another virtual machine whose guests are
    /// programs, as `weight=2, attached with weight=1`; null if all are equal.
    String difference(VmConfig attached) {
        Map<String, String> others = attached.settings();
        for (Map.Entry<String, String> setting : settings().entrySet()) {
            String other = others.get(setting.getKey());
            if (!setting.getValue().equals(other)) {
                return "%1$s=%2$s, attached with %1$s=%3$s"
                        .formatted(setting.getKey(), setting.getValue(), other);
            }
        }
        return null;
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

    /// @param usual values of keys that are not specified
    private static PvQuotas quotasOf(OptionList options, PvQuotas usual) {
        try {
            String data = options.values().get("data");
            return new PvQuotas(
                    (int) number(options, "sessions", usual.sessions()),
                    data == null ? usual.dataBytes() : ByteSize.parse("data", data),
                    (int) number(options, "handles", usual.handles()),
                    (int) number(options, "spaces", usual.spaces()),
                    (int) number(options, "channels", usual.channels()),
                    number(options, "pages", usual.mappedPages()),
                    (int) number(options, "in-flight", usual.commandsInFlight()),
                    (int) number(options, "waits", usual.waits()),
                    usual.privateBytes());
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
            throw new IllegalArgumentException("%s=%s, expected a number".formatted(key, text), e);
        }
    }

    private static VmMode modeOf(String name, String text) {
        return oneOf("--vm %s: mode".formatted(name), text, VmMode.values(), VmConfig::lowerCase);
    }

    private static ShadowStrategy shadowOf(String name, String text) {
        return text == null
                ? ShadowStrategy.INCREMENTAL
                : oneOf(
                        "--vm %s: shadow".formatted(name),
                        text,
                        ShadowStrategy.values(),
                        VmConfig::lowerCase);
    }

    private static DirectMapping mappingOf(String name, String text) {
        return text == null
                ? null
                : oneOf(
                        "--vm %s: map".formatted(name),
                        text,
                        DirectMapping.values(),
                        DirectMapping::option);
    }

    private static boolean trustOf(String name, String text) {
        return text != null
                && oneOf(
                        "--vm %s: trust-vmm".formatted(name),
                        text,
                        new Boolean[] {false, true},
                        value -> value ? "yes" : "no");
    }

    private static PvVia viaOf(String name, String text) {
        return text == null
                ? PvVia.SOCKET
                : oneOf("--vm %s: via".formatted(name), text, PvVia.values(), PvVia::option);
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /// Returns the value that a text names.
    ///
    /// @param key option and key, for the message
    private static <T> T oneOf(String key, String text, T[] values, Function<T, String> texts) {
        List<String> valid = Arrays.stream(values).map(texts).toList();
        int index = valid.indexOf(text);
        if (index < 0) {
            throw new ConfigException(
                    "%s=%s, expected one of %s".formatted(key, text, String.join(", ", valid)));
        }
        return values[index];
    }

    private static VramSize vramOf(String name, String text) {
        if (text == null) {
            return VramSize.EQUAL_PART;
        }
        try {
            return VramSize.parse(text);
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
            throw new ConfigException("--vm %s: socket=%s is not a path".formatted(name, text), e);
        }
    }
}
