package io.gpuvm.ptx.cache;

import io.gpuvm.gf100.cubin.Cubin;
import io.gpuvm.ptx.PtxCompiler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;

/// Version of the compiler: a hash of its classes and of those of the encoder, so that a build with
/// any change in them has another version.
final class CompilerVersion {
    private CompilerVersion() {}

    /// Returns the version, 32 bytes.
    ///
    /// @throws IOException if the classes cannot be read
    static byte[] read() throws IOException {
        MessageDigest digest = Hashes.sha256();
        add(digest, PtxCompiler.class);
        add(digest, Cubin.class);
        return digest.digest();
    }

    /// Adds the module that contains a class: a jar, or a folder of classes.
    private static void add(MessageDigest digest, Class<?> member) throws IOException {
        Path place = placeOf(member);
        if (!Files.isDirectory(place)) {
            digest.update(Files.readAllBytes(place));
            return;
        }
        List<Path> files;
        try (Stream<Path> all = Files.walk(place)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        for (Path file : files) {
            digest.update(place.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
            digest.update(Files.readAllBytes(file));
        }
    }

    private static Path placeOf(Class<?> member) throws IOException {
        CodeSource source = member.getProtectionDomain().getCodeSource();
        if (source == null) {
            throw new IOException("class " + member.getName() + " is in no file");
        }
        try {
            return Path.of(source.getLocation().toURI());
        } catch (URISyntaxException | RuntimeException e) {
            throw new IOException("location of classes: " + source.getLocation(), e);
        }
    }
}
