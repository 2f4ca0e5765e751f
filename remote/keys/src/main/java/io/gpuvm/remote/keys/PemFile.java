package io.gpuvm.remote.keys;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Set;

/// Reads and writes PEM files (RFC 7468).
final class PemFile {
    /// Labels of the contents.
    enum Label {
        CERTIFICATE("CERTIFICATE", "rw-r--r--"),
        PRIVATE_KEY("PRIVATE KEY", "rw-------"),
        REVOKED("X509 CRL", "rw-r--r--");

        private final String text;
        private final String permissions;

        Label(String text, String permissions) {
            this.text = text;
            this.permissions = permissions;
        }
    }

    private static final int COLUMNS = 64;

    private PemFile() {}

    /// Writes a file, which other processes see either with its former or with its new content. A
    /// private key is readable for its owner only from the first moment.
    static void write(Path file, Label label, byte[] encoded) throws IOException {
        byte[] newline = {'\n'};
        String text =
                "-----BEGIN %s-----%n%s%n-----END %s-----%n"
                        .formatted(
                                label.text,
                                Base64.getMimeEncoder(COLUMNS, newline).encodeToString(encoded),
                                label.text);
        Path written = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(written);
        try (SeekableByteChannel channel =
                Files.newByteChannel(
                        written,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString(label.permissions)))) {
            ByteBuffer rest = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
        }
        Files.move(
                written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static X509Certificate certificate(Path file) throws IOException, GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    static X509CRL revoked(Path file) throws IOException, GeneralSecurityException {
        return (X509CRL)
                CertificateFactory.getInstance("X.509")
                        .generateCRL(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    static PrivateKey privateKey(Path file) throws IOException, GeneralSecurityException {
        String base64 =
                Files.readString(file, StandardCharsets.US_ASCII)
                        .replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("EC")
                .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }
}
