package io.gpuvm.softgpu;

import io.gpuvm.gf100.unit.Board;
import io.gpuvm.gf100.unit.ByteSize;
import io.gpuvm.options.KeyValues;
import io.gpuvm.softgpu.sm.ExecutionMode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/// Configuration of a software GF100.
///
/// @param vramBytes size of VRAM: see [Board#mibOf(long)]
/// @param copyEngines whether the two copy engines exist or are fused off
/// @param display whether the display unit exists or is fused off
/// @param tpcsPerGpc numbers of TPCs, each with one streaming multiprocessor, by GPC
/// @param bar1Bytes size of BAR1, a power of two
/// @param bar3Bytes size of BAR3, a power of two
/// @param workers number of host threads that run compute kernels, including the engine thread; at
///   most one per TPC is used
/// @param watchdogNs maximum GPU time of a kernel launch, in nanoseconds; 0 for no limit
/// @param engine execution mode of compute kernels
public record SoftGpuConfig(
        long vramBytes,
        boolean copyEngines,
        boolean display,
        List<Integer> tpcsPerGpc,
        long bar1Bytes,
        long bar3Bytes,
        int workers,
        long watchdogNs,
        ExecutionMode engine) {
    private static final long MIB = 1L << 20;
    private static final long DEFAULT_VRAM_BYTES = 512 * MIB;

    /// Numbers of TPCs of a Quadro 6000, by GPC: two of the four GPCs have a TPC fused off.
    private static final List<Integer> QUADRO_6000 = List.of(4, 4, 3, 3);

    private static final long DEFAULT_BAR1_BYTES = 128 * MIB;
    private static final long DEFAULT_BAR3_BYTES = 64 * MIB;

    /// Minimum size for the channels' USERD areas and some buffers.
    private static final long MIN_BAR1_BYTES = 16 * MIB;

    /// Minimum size for nouveau, which accesses objects beyond BAR3 through PRAMIN.
    private static final long MIN_BAR3_BYTES = MIB;

    private static final long MAX_BAR_BYTES = 1024 * MIB;

    private static final ExecutionMode DEFAULT_ENGINE = ExecutionMode.TIERED;

    private static final int MAX_WORKERS = 64;
    private static final double MAX_WATCHDOG_SECONDS = 1e6;

    public SoftGpuConfig {
        Board.mibOf(vramBytes);
        checkBar("bar1", bar1Bytes, MIN_BAR1_BYTES);
        checkBar("bar3", bar3Bytes, MIN_BAR3_BYTES);
        tpcsPerGpc = List.copyOf(tpcsPerGpc);
        Board.checkShape(tpcsPerGpc);
        if (workers < 1 || workers > MAX_WORKERS) {
            throw new IllegalArgumentException(
                    "workers=%d, expected 1 to %d".formatted(workers, MAX_WORKERS));
        }
        if (watchdogNs < 0) {
            throw new IllegalArgumentException(
                    "watchdogNs=%d, expected at least 0".formatted(watchdogNs));
        }
        Objects.requireNonNull(engine, "engine");
    }

    /// Returns the default configuration: 512 MiB of VRAM, all units present, the GPCs of a Quadro
    /// 6000, one worker per host processor (at most 64), no watchdog, tiered execution.
    public static SoftGpuConfig defaults() {
        return new SoftGpuConfig(
                DEFAULT_VRAM_BYTES,
                true,
                true,
                QUADRO_6000,
                DEFAULT_BAR1_BYTES,
                DEFAULT_BAR3_BYTES,
                Math.min(MAX_WORKERS, Runtime.getRuntime().availableProcessors()),
                0,
                DEFAULT_ENGINE);
    }

    /// Parses command-line settings: `vram=512M,copy-engines=off,display=off,`
    /// `gpcs=4+4+3+3,bar1=128M,bar3=64M,workers=2,watchdog=5,engine=compiled`. All settings are
    /// optional; their order does not matter. Sizes accept the suffixes K, M and G; `watchdog` is
    /// in seconds, or `off`; `engine` is an [ExecutionMode#text()].
    ///
    /// @throws IllegalArgumentException if a setting is invalid; the message names key, value and
    ///   limit
    public static SoftGpuConfig parse(String settings) {
        SoftGpuConfig config = defaults();
        if (settings.isBlank()) {
            return config;
        }
        for (Map.Entry<String, String> setting : KeyValues.parse(settings).entrySet()) {
            config = config.with(setting.getKey(), setting.getValue());
        }
        return config;
    }

    /// Returns the board, for the units that report its configuration to a driver.
    Board board() {
        return Board.of(Board.mibOf(vramBytes), tpcsPerGpc, copyEngines, display);
    }

    /// Returns the maximum number of multiprocessors that run concurrently.
    int workersOfChip() {
        return Math.min(workers, tpcsPerGpc.stream().mapToInt(Integer::intValue).sum());
    }

    private SoftGpuConfig with(String key, String value) {
        return switch (key) {
            case "vram" -> withVramBytes(ByteSize.parse(key, value));
            case "copy-engines" -> withCopyEngines(onOff(key, value));
            case "display" -> withDisplay(onOff(key, value));
            case "gpcs" -> withTpcsPerGpc(shape(key, value));
            case "bar1" -> withBars(ByteSize.parse(key, value), bar3Bytes);
            case "bar3" -> withBars(bar1Bytes, ByteSize.parse(key, value));
            case "workers" -> withWorkers(number(key, value));
            case "watchdog" -> withWatchdogNs(seconds(key, value));
            case "engine" -> withEngine(ExecutionMode.named(value));
            default ->
                    throw new IllegalArgumentException(
                            ("%s=%s, expected one of vram, copy-engines, display, gpcs, bar1, bar3,"
                                            + " workers, watchdog, engine")
                                    .formatted(key, value));
        };
    }

    /// Returns a copy with a different VRAM size.
    public SoftGpuConfig withVramBytes(long bytes) {
        return new SoftGpuConfig(
                bytes,
                copyEngines,
                display,
                tpcsPerGpc,
                bar1Bytes,
                bar3Bytes,
                workers,
                watchdogNs,
                engine);
    }

    /// Returns a copy with or without copy engines.
    public SoftGpuConfig withCopyEngines(boolean present) {
        return new SoftGpuConfig(
                vramBytes,
                present,
                display,
                tpcsPerGpc,
                bar1Bytes,
                bar3Bytes,
                workers,
                watchdogNs,
                engine);
    }

    /// Returns a copy with or without a display unit.
    public SoftGpuConfig withDisplay(boolean present) {
        return new SoftGpuConfig(
                vramBytes,
                copyEngines,
                present,
                tpcsPerGpc,
                bar1Bytes,
                bar3Bytes,
                workers,
                watchdogNs,
                engine);
    }

    /// Returns a copy with different GPCs.
    public SoftGpuConfig withTpcsPerGpc(List<Integer> tpcs) {
        return new SoftGpuConfig(
                vramBytes,
                copyEngines,
                display,
                tpcs,
                bar1Bytes,
                bar3Bytes,
                workers,
                watchdogNs,
                engine);
    }

    /// Returns a copy with a different number of workers.
    public SoftGpuConfig withWorkers(int threads) {
        return new SoftGpuConfig(
                vramBytes,
                copyEngines,
                display,
                tpcsPerGpc,
                bar1Bytes,
                bar3Bytes,
                threads,
                watchdogNs,
                engine);
    }

    /// Returns a copy with a different watchdog limit, in nanoseconds; 0 for no limit.
    public SoftGpuConfig withWatchdogNs(long limitNs) {
        return new SoftGpuConfig(
                vramBytes,
                copyEngines,
                display,
                tpcsPerGpc,
                bar1Bytes,
                bar3Bytes,
                workers,
                limitNs,
                engine);
    }

    /// Returns a copy with a different execution mode.
    public SoftGpuConfig withEngine(ExecutionMode executing) {
        return new SoftGpuConfig(
                vramBytes,
                copyEngines,
                display,
                tpcsPerGpc,
                bar1Bytes,
                bar3Bytes,
                workers,
                watchdogNs,
                executing);
    }

    private SoftGpuConfig withBars(long bar1, long bar3) {
        return new SoftGpuConfig(
                vramBytes,
                copyEngines,
                display,
                tpcsPerGpc,
                bar1,
                bar3,
                workers,
                watchdogNs,
                engine);
    }

    private static int number(String key, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s=%s, expected a number".formatted(key, value), e);
        }
    }

    private static long seconds(String key, String value) {
        if (value.equals("off")) {
            return 0;
        }
        double seconds;
        try {
            seconds = Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "%s=%s, expected seconds or off".formatted(key, value), e);
        }
        if (!(seconds > 0) || seconds > MAX_WATCHDOG_SECONDS) {
            throw new IllegalArgumentException(
                    "%s=%s, expected more than 0 and at most %.0f seconds"
                            .formatted(key, value, MAX_WATCHDOG_SECONDS));
        }
        return Math.max(1, (long) (seconds * TimeUnit.SECONDS.toNanos(1)));
    }

    private static boolean onOff(String key, String value) {
        return switch (value) {
            case "on" -> true;
            case "off" -> false;
            default ->
                    throw new IllegalArgumentException(
                            "%s=%s, expected one of on, off".formatted(key, value));
        };
    }

    private static List<Integer> shape(String key, String value) {
        try {
            return Arrays.stream(value.split("\\+", -1)).map(Integer::valueOf).toList();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "%s=%s, expected numbers of TPCs by GPC, such as 4+4+3+3".formatted(key, value),
                    e);
        }
    }

    private static void checkBar(String key, long bytes, long min) {
        if (Long.bitCount(bytes) != 1) {
            throw new IllegalArgumentException(
                    "%s=%d bytes, expected a power of two".formatted(key, bytes));
        }
        if (bytes < min || bytes > MAX_BAR_BYTES) {
            throw new IllegalArgumentException(
                    "%s=%d bytes, expected %d to %d (%dM to %dM)"
                            .formatted(
                                    key,
                                    bytes,
                                    min,
                                    MAX_BAR_BYTES,
                                    min / MIB,
                                    MAX_BAR_BYTES / MIB));
        }
    }
}
