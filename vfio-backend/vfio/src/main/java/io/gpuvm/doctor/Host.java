package io.gpuvm.doctor;

import io.gpuvm.vfio.PciAddress;
import io.gpuvm.vfio.PciFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// What can be asked of a host: its files, and the few things that are in none.
///
/// @param root the folder that has `sys`, `proc` and `dev`
/// @param user the name of the user who asks
/// @param mayUse whether that user may read and write a file, as the kernel would decide
/// @param qemuVersion what a QEMU program of this name prints for `--version`; empty if there is no
///   such program
public record Host(
        Path root,
        String user,
        Predicate<Path> mayUse,
        Function<String, Optional<String>> qemuVersion) {
    /// The host that this program runs on.
    public static Host here() {
        return new Host(
                Path.of("/"),
                userName(),
                file -> Files.isReadable(file) && Files.isWritable(file),
                Programs::version);
    }

    /// Without an entry for the user in the passwd database, the number has to do.
    private static String userName() {
        String name = System.getProperty("user.name");
        return name.equals("?") ? "user " + userId(Path.of("/")) : name;
    }

    /// Whether this user is root.
    public boolean isRoot() {
        return userId(root).equals("0");
    }

    /// The effective user id (proc_pid_status(5): real, effective, saved, for file systems).
    private static String userId(Path root) {
        try (Stream<String> lines = Files.lines(root.resolve("proc/self/status"))) {
            return lines.filter(line -> line.startsWith("Uid:"))
                    .map(line -> line.split("\\s+")[2])
                    .findFirst()
                    .orElse("");
        } catch (IOException _) {
            return "";
        }
    }

    Path at(String path) {
        return root.resolve(path);
    }

    boolean has(String path) {
        return Files.exists(at(path));
    }

    boolean mayUse(String path) {
        return mayUse.test(at(path));
    }

    /// The text of a file without blanks at its end; empty if it is not there, or not for this
    /// user.
    String text(String path) {
        try {
            return Files.readString(at(path)).strip();
        } catch (IOException _) {
            return "";
        }
    }

    /// The rest of the first line of a file that begins with some words; empty if there is none.
    String line(String path, String beginning) {
        return text(path)
                .lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()).strip())
                .findFirst()
                .orElse("");
    }

    /// The names in a folder, sorted; none if it is not there, or not for this user.
    List<String> names(String folder) {
        try (Stream<Path> files = Files.list(at(folder))) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    List<PciFunction> functions() {
        return PciFunction.all(root);
    }

    /// One function, which need not be there.
    public PciFunction function(PciAddress address) {
        return new PciFunction(root, address);
    }
}
