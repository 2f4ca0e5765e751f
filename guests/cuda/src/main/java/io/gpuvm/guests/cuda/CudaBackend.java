package io.gpuvm.guests.cuda;

import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.ServerProcess;
import io.gpuvm.guests.real.ServerStart;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// `gpuvm serve` for CUDA programs, as a process of this build.
final class CudaBackend {
    private static final String VM = "cuda";

    private final Process process;
    private final RunFolder folder;

    private CudaBackend(Process process, RunFolder folder) {
        this.process = process;
        this.folder = folder;
    }

    /// Starts a backend. Returns when programs can connect.
    ///
    /// @param gpu value of `--gpu`
    /// @param commandLimit value of `--command-limit`; null for the backend's default
    /// @param folder folder for the socket and the log
    /// @param children ends the process
    /// @throws IllegalStateException if the backend does not start; the message contains its log
    static CudaBackend start(String gpu, String commandLimit, RunFolder folder, Children children)
            throws InterruptedException {
        String vm = "%s,mode=cuda,socket=%s".formatted(VM, folder.socket(VM));
        List<String> arguments = new ArrayList<>(List.of("serve", "--gpu", gpu, "--vm", vm));
        if (commandLimit != null) {
            arguments.addAll(List.of("--command-limit", commandLimit));
        }
        Process process =
                ServerStart.start(arguments, ServerProcess.DEFAULT, folder, children, _ -> {});
        return new CudaBackend(process, folder);
    }

    Path socket() {
        return folder.socket(VM);
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /// Returns the last lines of the backend's log.
    List<String> log(int lines) {
        return RunFolder.tail(folder.serverLog(), lines);
    }
}
