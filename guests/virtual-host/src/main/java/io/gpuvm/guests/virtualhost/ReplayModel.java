package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuServer;
import io.gpuvm.guests.real.JvmOptions;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.ServerSpec;
import io.gpuvm.guests.real.ThisBuild;
import io.gpuvm.guests.real.VmSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// End state of a recorded guest that runs alone on a software GPU. The same guest must reach this
/// state in a virtual host.
final class ReplayModel {
    /// VRAM of a guest that is recorded for a replay.
    private static final String VRAM = "64M";

    /// Value of `--gpu` of a backend with that VRAM.
    static final String GPU = "soft,vram=" + VRAM;

    private static final String NAME = "model";
    private static final int SHOWN_LINES = 30;

    private ReplayModel() {}

    /// Returns the virtual machine to record. Its guest has no mappings, so that all of its
    /// accesses are messages.
    static VmSpec vm(String kernel) {
        return new VmSpec(NAME, kernel, Map.of("mode", "fv", "map", "none", "vram", VRAM));
    }

    /// Replays a recording and writes the end state to a file, for [ReplayedGuest].
    ///
    /// @throws IllegalStateException if the values read differ from the recorded values
    static void write(
            Path recording, String kernel, Path file, Children children, RunListener listener)
            throws InterruptedException {
        RunFolder folder = new RunFolder(false);
        try {
            GpuServer running =
                    GpuServer.start(
                            new ServerSpec.Backend(GPU, HostOptions.DEFAULT_IDLE),
                            List.of(vm(kernel)),
                            folder,
                            children,
                            listener);
            Path log = folder.path().resolve("replay.log");
            Process replay =
                    children.start(
                            command(recording, folder.socket(NAME), file),
                            log,
                            folder.path().resolve("replay.errors"));
            int status = replay.waitFor();
            running.stop();
            List<String> said = RunFolder.tail(log, SHOWN_LINES);
            said.forEach(line -> listener.onProgress("model: " + line));
            if (status != 0) {
                throw new IllegalStateException(
                        "replay of %s on the software GPU failed: exit status %d%n%s"
                                .formatted(
                                        recording,
                                        status,
                                        String.join(
                                                "\n",
                                                RunFolder.tail(
                                                        folder.path().resolve("replay.errors"),
                                                        SHOWN_LINES))));
            }
        } finally {
            folder.close();
        }
    }

    private static List<String> command(Path recording, Path socket, Path file) {
        return ThisBuild.java(
                ReplayedGuest.class.getName(),
                JvmOptions.backend(),
                List.of("model", recording.toString(), socket.toString(), file.toString()));
    }
}
