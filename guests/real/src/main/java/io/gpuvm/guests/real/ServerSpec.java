package io.gpuvm.guests.real;

import java.nio.file.Path;

/// Server of the GPU for the guests of a run.
public sealed interface ServerSpec {
    /// This build's backend: `gpuvm serve`.
    ///
    /// @param gpu value of `--gpu`, for instance `soft,vram=512M,copy-engines=off`
    /// @param idle value of `--idle`
    /// @param recording value of `--record`, or null to record nothing
    /// @param commandLimit value of `--command-limit`, in seconds
    /// @param process process of the backend
    record Backend(String gpu, String idle, Path recording, int commandLimit, ServerProcess process)
            implements ServerSpec {
        private static final int USUAL_COMMAND_LIMIT = 10;

        /// Limit that no command reaches, however busy the host is, in seconds.
        private static final int NO_COMMAND_LIMIT = 3600;

        /// Creates a backend without a recording.
        public Backend(String gpu, String idle) {
            this(gpu, idle, null);
        }

        /// Creates a backend with the default command limit.
        public Backend(String gpu, String idle, Path recording) {
            this(gpu, idle, recording, USUAL_COMMAND_LIMIT, ServerProcess.DEFAULT);
        }

        /// Returns this backend with a command limit that no command reaches, however busy the host
        /// is.
        public Backend withoutCommandLimit() {
            return new Backend(gpu, idle, recording, NO_COMMAND_LIMIT, process);
        }

        /// Returns this backend with another process, which determines the processors and the
        /// environment.
        public Backend in(ServerProcess other) {
            return new Backend(gpu, idle, recording, commandLimit, other);
        }

        /// Returns whether the GPU has copy engines, which determines whether guests may skip the
        /// tests of copy engines.
        public boolean hasCopyEngines() {
            return !gpu.contains("copy-engines=off");
        }
    }

    /// This build's software GPU as a PCI card for one machine: `gpuvm device`.
    ///
    /// @param gpu value of `--gpu`
    /// @param idle value of `--idle`
    record Card(String gpu, String idle) implements ServerSpec {}

    /// External vfio-user server, started once per virtual machine.
    ///
    /// @param command words separated by spaces, executed without a shell; `{socket}` stands for
    ///   the socket's path
    record External(String command) implements ServerSpec {
        public External {
            if (!command.contains("{socket}")) {
                throw new IllegalArgumentException(
                        "--server '%s': expected {socket}".formatted(command));
            }
        }
    }
}
