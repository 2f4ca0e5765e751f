package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestFiles;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Initramfs of a machine in which `gpuvm run` is a paravirtual guest. It is the virtual host's
/// initramfs with another init, and with all classes of this JVM.
final class PvMachineImage {
    private static final Path LIBRARIES = Path.of("/opt/gpuvm/lib");

    /// Prefix of Logback's files, which are omitted because Logback needs a JDK module that the
    /// image lacks. Without Logback, the guest logs nothing.
    private static final String LOGBACK = "logback";

    private PvMachineImage() {}

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
        Path guest = files.realGuestFolder().resolve("guest");
        archive.addProgram(Path.of("/init"), Files.readAllBytes(guest.resolve("pv-init")));
        archive.addFile(Path.of("/lib/guest.sh"), Files.readAllBytes(guest.resolve("guest.sh")));
        archive.addProgram(
                Path.of("/programs/kernel-log"), Files.readAllBytes(files.program("kernel-log")));
    }

    private static void addClasses(CpioArchive archive) throws IOException {
        List<String> classPath = new ArrayList<>();
        for (String name : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path source = Path.of(name);
            if (Files.exists(source) && !source.getFileName().toString().startsWith(LOGBACK)) {
                Path jar = LIBRARIES.resolve("%d.jar".formatted(classPath.size()));
                boolean folder = Files.isDirectory(source);
                archive.addFile(jar, folder ? HostImage.jarOf(source) : Files.readAllBytes(source));
                classPath.add(jar.toString());
            }
        }
        HostImage.addOptions(archive, classPath);
    }
}
