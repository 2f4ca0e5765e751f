package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.CpioArchive;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.JvmOptions;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// Initramfs of a virtual host: the archive that `setup` created, followed by the files that change
/// between builds: init, tests, and classes.
final class HostImage {
    private static final Path LIBRARIES = Path.of("/opt/gpuvm/lib");
    private static final Path JAVA_OPTIONS = Path.of("/opt/gpuvm/java.options");
    private static final Path PROGRAMS = Path.of("/programs");
    private static final Path BESIDE = Path.of("/opt/gpuvm");
    private static final Path SHELL_LIBRARIES = Path.of("/lib");

    /// Option that limits the heap of a JVM in a small machine.
    private static final String HEAP = "-Xmx256m";

    private HostImage() {}

    /// Writes the image.
    ///
    /// @param more files and folders of files, by their names in `/opt/gpuvm` of the host
    static void write(Path target, GuestFiles files, String kernel, Map<String, Path> more) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            Files.copy(files.virtualHostImage(kernel), out);
            try (CpioArchive archive = new CpioArchive(out)) {
                addScripts(archive, files);
                addClasses(archive, files);
                for (Map.Entry<String, Path> one : more.entrySet()) {
                    archive.addTree(BESIDE.resolve(one.getKey()), one.getValue());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addScripts(CpioArchive archive, GuestFiles files) throws IOException {
        Path guest = files.virtualHostFolder().resolve("guest");
        archive.addProgram(Path.of("/init"), Files.readAllBytes(guest.resolve("init")));
        for (Path library :
                List.of(
                        files.realGuestFolder().resolve("guest/guest.sh"),
                        guest.resolve("tests.sh"))) {
            archive.addFile(
                    SHELL_LIBRARIES.resolve(library.getFileName()), Files.readAllBytes(library));
        }
        for (HostTest test : HostTest.all(files)) {
            archive.addFile(
                    Path.of("/tests").resolve(test.name()), Files.readAllBytes(test.script()));
        }
        String kernelLog = "kernel-log";
        archive.addProgram(
                PROGRAMS.resolve(kernelLog), Files.readAllBytes(files.program(kernelLog)));
    }

    /// Adds the command line and the conformance suite, with all libraries.
    private static void addClasses(CpioArchive archive, GuestFiles files) throws IOException {
        List<Path> sources = new ArrayList<>();
        Map<String, Path> jars = new TreeMap<>();
        for (String module : List.of("vfio-backend/cli", "tests/conformance")) {
            Path built = files.root().resolve(module).resolve("target");
            sources.add(built.resolve("classes"));
            jarsIn(built.resolve("lib")).forEach(jar -> jars.put(fileName(jar), jar));
        }
        sources.addAll(jars.values());
        List<String> classPath = new ArrayList<>();
        for (Path source : sources) {
            boolean folder = Files.isDirectory(source);
            String name = folder ? "classes-%d.jar".formatted(classPath.size()) : fileName(source);
            Path jar = LIBRARIES.resolve(name);
            archive.addFile(jar, folder ? jarOf(source) : Files.readAllBytes(source));
            classPath.add(jar.toString());
        }
        addOptions(archive, classPath);
    }

    /// Adds the file with the options of the machine's JVMs.
    private static void addOptions(CpioArchive archive, List<String> classPath) throws IOException {
        List<String> options = new ArrayList<>(JvmOptions.emulated());
        options.addAll(List.of(HEAP, "-cp", String.join(File.pathSeparator, classPath)));
        String text = String.join("\n", options) + "\n";
        archive.addFile(JAVA_OPTIONS, text.getBytes(StandardCharsets.UTF_8));
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IllegalStateException(
                    "%s does not exist: build with ./gpuvm or mvn verify".formatted(folder));
        }
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.sorted().toList();
        }
    }

    private static String fileName(Path path) {
        return path.getFileName().toString();
    }

    /// Returns the contents of a folder of classes as a jar.
    private static byte[] jarOf(Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes);
                Stream<Path> tree = Files.walk(folder)) {
            for (Path file : tree.filter(Files::isRegularFile).sorted().toList()) {
                jar.putNextEntry(new JarEntry(folder.relativize(file).toString()));
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
