package io.gpuvm.doctor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Programs installed on this host.
final class Programs {
    private static final int LIMIT_SECONDS = 10;

    private Programs() {}

    /// Returns the first line that a program prints for `--version`; empty if the program is not on
    /// the path, fails, does not exit within [#LIMIT_SECONDS], or prints nothing.
    static Optional<String> version(String program) {
        try {
            Process process =
                    new ProcessBuilder(program, "--version").redirectErrorStream(true).start();
            try (InputStream out = process.getInputStream()) {
                process.getOutputStream().close();
                // A few lines fit into the pipe; a program that prints more does not terminate.
                boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
                return ended && process.exitValue() == 0
                        ? new String(out.readAllBytes(), StandardCharsets.UTF_8).lines().findFirst()
                        : Optional.empty();
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException _) {
            return Optional.empty();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
