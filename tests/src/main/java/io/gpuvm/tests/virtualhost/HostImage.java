package io.gpuvm.tests.virtualhost;

import io.gpuvm.tests.realguest.GuestFiles;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/// The initramfs of a virtual host: what `setup` made, and behind it what changes from build to
/// build: init, tests, and this JVM's own class path, so that the classes inside are always of the
/// same build.
final class HostImage {
    private static final Path LIBRARIES = Path.of("/opt/gpuvm/lib");
    private static final Path JAVA_OPTIONS = Path.of("/opt/gpuvm/java.options");
    private static final Path PROGRAMS = Path.of("/programs");
    private static final Path SHELL_LIBRARIES = Path.of("/lib");

    /// For two emulated processors and a short life.
    private static final List<String> JVM_OPTIONS =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m");

    private HostImage() {}

    /// Writes the image.
    static void write(Path target, GuestFiles files, String kernel) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(target))) {
            Files.copy(files.virtualHostImage(kernel), out);
            try (CpioArchive archive = new CpioArchive(out)) {
                addScripts(archive, files);
                addClasses(archive);
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

    private static void addClasses(CpioArchive archive) throws IOException {
        List<String> classPath = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path source = Path.of(entry);
            if (source.endsWith("test-classes") || !Files.exists(source)) {
                continue;
            }
            boolean folder = Files.isDirectory(source);
            Path jar =
                    LIBRARIES.resolve(
                            folder
                                    ? "classes-%d.jar".formatted(classPath.size())
                                    : source.getFileName().toString());
            archive.addFile(jar, folder ? jarOf(source) : Files.readAllBytes(source));
            classPath.add(jar.toString());
        }
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(options::add);
        options.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        archive.addFile(JAVA_OPTIONS, (String.join("\n", options) + "\n").getBytes());
    }

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
