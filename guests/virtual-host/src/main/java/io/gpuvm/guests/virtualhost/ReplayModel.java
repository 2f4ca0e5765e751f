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

/// What a recorded guest makes of a software GPU on this machine, alone on it: the state that it is
/// to reach in a virtual host, too.
final class ReplayModel {
    /// Of a guest that is recorded to be replayed.
    private static final String VRAM = "64M";

    /// The `--gpu` of a backend that has just that.
    static final String GPU = "soft,vram=" + VRAM;

    private static final String NAME = "model";
    private static final int SHOWN_LINES = 30;

    private ReplayModel() {}

    /// The virtual machine to record: all that its guest does comes as messages.
    static VmSpec vm(String kernel) {
        return new VmSpec(NAME, kernel, Map.of("mode", "fv", "map", "none", "vram", VRAM));
    }

    /// Replays a recording and writes the state down, for [ReplayedGuest].
    ///
    /// @throws IllegalStateException if the guest is not told there what it was told before
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
                        "replaying %s on the software GPU: exit status %d%n%s"
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
