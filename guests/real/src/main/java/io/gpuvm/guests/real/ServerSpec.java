package io.gpuvm.guests.real;

import java.nio.file.Path;

/// What serves the GPU to the guests of a run.
public sealed interface ServerSpec {
    /// This build's backend: `gpuvm serve`.
    ///
    /// @param gpu the value of `--gpu`, for instance `soft,vram=512M,copy-engines=off`
    /// @param idle the value of `--idle`
    /// @param recording the value of `--record`, or null to record nothing
    /// @param commandLimit the value of `--command-limit`, in seconds
    record Backend(String gpu, String idle, Path recording, int commandLimit)
            implements ServerSpec {
        private static final int USUAL_COMMAND_LIMIT = 10;

        /// Of commands that nobody is to lose because the host is busy.
        private static final int NO_COMMAND_LIMIT = 3600;

        /// One that records nothing.
        public Backend(String gpu, String idle) {
            this(gpu, idle, null);
        }

        /// One with the usual limit of a command's time.
        public Backend(String gpu, String idle, Path recording) {
            this(gpu, idle, recording, USUAL_COMMAND_LIMIT);
        }

        /// The same for commands that take as long as the host needs for them.
        public Backend withoutCommandLimit() {
            return new Backend(gpu, idle, recording, NO_COMMAND_LIMIT);
        }

        /// Whether the GPU has copy engines, which decides what guests may skip.
        public boolean hasCopyEngines() {
            return !gpu.contains("copy-engines=off");
        }
    }

    /// This build's software GPU as a PCI card: `gpuvm device`. For one machine.
    ///
    /// @param gpu the value of `--gpu`
    /// @param idle the value of `--idle`
    record Card(String gpu, String idle) implements ServerSpec {}

    /// Any vfio-user server, started once per virtual machine.
    ///
    /// @param command words separated by spaces, no shell; `{socket}` stands for the socket's path
    record External(String command) implements ServerSpec {
        public External {
            if (!command.contains("{socket}")) {
                throw new IllegalArgumentException(
                        "--server '%s' must contain {socket}".formatted(command));
            }
        }
    }
}
