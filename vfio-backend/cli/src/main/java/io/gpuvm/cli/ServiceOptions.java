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
                    "Idle mode of a virtual machine's thread: block (sleep immediately), spin"
                            + " (never sleep while a guest is connected) or backoff (spin for 50"
                            + " us, then sleep). Default: ${DEFAULT-VALUE}.")
    private IdleMode idle;

    @Option(
            names = "--list-undeclared",
            description =
                    "List of the registers that guests accessed but no unit declares, printed at"
                            + " exit.")
    private boolean listUndeclared;

    @Option(
            names = "--summary",
            paramLabel = "FILE",
            description = "File for the counters as JSON, written at exit. Default: none.")
    private Path summaryFile;

    @Option(
            names = "--stats",
            paramLabel = "SECONDS",
            description =
                    "Interval between lines of JSON with the counters, in seconds, at least 1."
                            + " Default: none.")
    private Integer statsSeconds;

    @Option(
            names = "--record",
            paramLabel = "DIR",
            description =
                    "Empty or new folder for a recording of guests, for 'gpuvm replay' and"
                            + " 'gpuvm record-stats'. Default: none.")
    private Path recordFolder;

    @Option(
            names = "--record-level",
            paramLabel = "LEVEL",
            defaultValue = "messages",
            description =
                    "Contents of the recording: messages (all messages of guests, and the commands"
                            + " in their memory) or commands (also the times at which commands are submitted,"
                            + " started and completed). Default: ${DEFAULT-VALUE}.")
    private RecordLevel recordLevel;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "Form of the log: text, or json (one object in each line). Under systemd, each"
                            + " line begins with its priority for the journal. Default:"
                            + " ${DEFAULT-VALUE}.")
    private LogFormat logFormat;

    private final LogSettings logs = new LogSettings();

    /// Returns the settings of the logs, in the form that the options name.
    LogSettings logs() {
        return logs;
    }

    /// Returns the configuration for the given virtual machines.
    ///
    /// @throws ConfigException if an option has an invalid value
    BackendConfig configFor(List<VmConfig> vms, Duration commandLimit, ThreadMode threads) {
        logs.useFormat(logFormat, System.getenv());
        if (statsSeconds != null && statsSeconds < 1) {
            throw new ConfigException("--stats %d, expected at least 1".formatted(statsSeconds));
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

    /// Returns the interval between lines of counters, in seconds; null if no lines are printed.
    Integer statsSeconds() {
        return statsSeconds;
    }
}
