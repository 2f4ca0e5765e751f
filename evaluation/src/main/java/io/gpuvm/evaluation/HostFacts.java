package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.EvaluationHost;
import io.gpuvm.guests.real.ProcessorSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Facts about the host and the sources of an evaluation.
final class HostFacts {
    private static final long KIB = 1 << 10;
    private static final String UNKNOWN = "unknown";
    private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*:\\s*(.+)$");
    private static final Pattern MEMORY = Pattern.compile("(?m)^MemTotal:\\s*(\\d+) kB$");

    private HostFacts() {}

    /// Returns the description of this host.
    ///
    /// @param accelerator QEMU's accelerator of the virtual machines: `tcg` or `kvm`
    static EvaluationHost host(ProcessorSplit split, String accelerator) {
        String memory = first(MEMORY, content(Path.of("/proc/meminfo")), "0");
        return new EvaluationHost(
                split.all().numbers().size(),
                first(MODEL, content(Path.of("/proc/cpuinfo")), UNKNOWN),
                Long.parseLong(memory) * KIB,
                content(Path.of("/proc/sys/kernel/osrelease")).strip(),
                accelerator,
                split.described());
    }

    /// Returns the commit of the sources; `unknown` if there is no repository.
    ///
    /// @param root folder of the project
    static String commit(Path root) {
        List<String> lines = git(root, "rev-parse", "HEAD");
        return lines.size() == 1 ? lines.getFirst() : UNKNOWN;
    }

    /// Returns whether tracked sources differ from the commit.
    static boolean isDirty(Path root) {
        return !git(root, "status", "--porcelain", "--untracked-files=no").isEmpty();
    }

    private static List<String> git(Path root, String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", root.toString()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            byte[] output = process.getInputStream().readAllBytes();
            return process.waitFor() == 0
                    ? new String(output, StandardCharsets.UTF_8).lines().toList()
                    : List.of();
        } catch (IOException _) {
            // Git is not installed.
            return List.of();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static String first(Pattern pattern, String text, String otherwise) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? matcher.group(1) : otherwise;
    }

    private static String content(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
