package io.gpuvm.cli;

import io.gpuvm.daemon.BackendConfig;
import io.gpuvm.daemon.BackendConfig.RecordingPlan;
import io.gpuvm.daemon.ConfigException;
import io.gpuvm.daemon.IdleMode;
import io.gpuvm.daemon.ThreadMode;
import io.gpuvm.daemon.VmConfig;
import io.gpuvm.record.RecordLevel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Options of every command that owns a GPU and serves it until a signal ends it.
final class ServiceOptions {
    @Mixin private GpuOption gpu;

    @Option(
            names = "--idle",
            paramLabel = "MODE",
            defaultValue = "backoff",
            description =
                    "What a VM's thread does while nothing comes: block (sleep at once), spin"
                            + " (never sleep while a guest is connected), backoff (spin briefly,"
                            + " then sleep). Default: ${DEFAULT-VALUE}.")
    private IdleMode idle;

    @Option(
            names = "--list-undeclared",
            description = "At exit, print the registers that guests accessed and no unit declares.")
    private boolean listUndeclared;

    @Option(
            names = "--summary",
            paramLabel = "FILE",
            description = "At exit, write counters to FILE as JSON.")
    private Path summaryFile;

    @Option(
            names = "--stats",
            paramLabel = "SECONDS",
            description = "Print the same counters as one line of JSON every so many seconds.")
    private Integer statsSeconds;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description =
                    "Record what guests do into DIR, which must be empty or not there yet; see"
                            + " 'replay' and 'record-stats'.")
    private Path recordFolder;

    @Option(
            names = "--record-level",
            paramLabel = "LEVEL",
            defaultValue = "messages",
            description =
                    "How much --record has: messages (all that guests send, and the commands that"
                            + " they have in their memory), commands (also when commands are"
                            + " submitted, started and completed). Default: ${DEFAULT-VALUE}.")
    private RecordLevel recordLevel;

    /// Returns the configuration for the given virtual machines.
    ///
    /// @throws ConfigException if an option has an invalid value
    BackendConfig configFor(List<VmConfig> vms, Duration commandLimit, ThreadMode threads) {
        if (statsSeconds != null && statsSeconds < 1) {
            throw new ConfigException("--stats %d, limit=at least 1".formatted(statsSeconds));
        }
        return new BackendConfig(
                gpu.spec(),
                vms,
                idle,
                commandLimit,
                recordFolder == null ? null : new RecordingPlan(recordFolder, recordLevel),
                threads);
    }

    boolean listsUndeclared() {
        return listUndeclared;
    }

    /// Returns the file for counters at exit, or null.
    Path summaryFile() {
        return summaryFile;
    }

    /// Returns the seconds between two lines of counters; null to print no lines.
    Integer statsSeconds() {
        return statsSeconds;
    }
}
