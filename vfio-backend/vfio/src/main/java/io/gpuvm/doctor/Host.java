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

/// Access to the state of a host: its files, and the few facts that no file holds.
///
/// @param root folder that contains `sys`, `proc` and `dev`
/// @param user name of the user who runs this program
/// @param mayUse predicate of the files that the user may read and write, by the kernel's rules
/// @param qemuVersion function from the name of a QEMU program to its output for `--version`; empty
///   if there is no such program
public record Host(
        Path root,
        String user,
        Predicate<Path> mayUse,
        Function<String, Optional<String>> qemuVersion) {
    /// Returns the host on which this program runs.
    public static Host here() {
        return new Host(
                Path.of("/"),
                userName(),
                file -> Files.isReadable(file) && Files.isWritable(file),
                Programs::version);
    }

    /// Returns the user's name; `user` and the numeric id if the passwd database has no entry.
    private static String userName() {
        String name = System.getProperty("user.name");
        return name.equals("?") ? "user " + userId(Path.of("/")) : name;
    }

    /// Returns whether this user is root.
    public boolean isRoot() {
        return userId(root).equals("0");
    }

    /// Returns the effective user id (proc_pid_status(5): real, effective, saved, file system).
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

    /// Returns the text of a file without trailing blanks; empty if the file does not exist, or if
    /// this user may not read it.
    String text(String path) {
        try {
            return Files.readString(at(path)).strip();
        } catch (IOException _) {
            return "";
        }
    }

    /// Returns the rest of the first line that begins with the given words; empty if there is no
    /// such line.
    String line(String path, String beginning) {
        return text(path)
                .lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()).strip())
                .findFirst()
                .orElse("");
    }

    /// Returns the names in a folder, sorted; none if the folder does not exist, or if this user
    /// may not read it.
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

    /// Returns the view of a PCI function, which need not exist.
    public PciFunction function(PciAddress address) {
        return new PciFunction(root, address);
    }
}
