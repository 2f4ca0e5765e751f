package io.gpuvm.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// Search for processes that have given files open. It finds only processes that this user may
/// inspect; root may inspect all.
///
/// Source: proc_pid_fd(5), proc_pid_comm(5).
public final class OpenFiles {
    private OpenFiles() {}

    /// Returns the processes that have at least one of the files open, each as `PID (NAME)`.
    ///
    /// @param root folder that contains `proc`
    /// @param files absolute names, as the processes see them
    public static List<String> of(Path root, Set<String> files) {
        try (Stream<Path> processes = Files.list(root.resolve("proc"))) {
            return processes
                    .filter(process -> isNumber(process.getFileName().toString()))
                    .filter(process -> hasOpen(process, files))
                    .map(OpenFiles::describe)
                    .sorted()
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    private static boolean isNumber(String name) {
        return name.chars().allMatch(Character::isDigit);
    }

    private static boolean hasOpen(Path process, Set<String> files) {
        try (Stream<Path> descriptors = Files.list(process.resolve("fd"))) {
            return descriptors.anyMatch(descriptor -> files.contains(target(descriptor)));
        } catch (IOException _) {
            return false;
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return "";
        }
    }

    private static String describe(Path process) {
        try {
            String name = Files.readString(process.resolve("comm")).strip();
            return "%s (%s)".formatted(process.getFileName(), name);
        } catch (IOException _) {
            return process.getFileName().toString();
        }
    }
}
