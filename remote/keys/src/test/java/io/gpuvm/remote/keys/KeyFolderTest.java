package io.gpuvm.remote.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.gpuvm.remote.link.Credentials;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyFolderTest {
    private static final Instant NOW = Instant.parse("2026-05-01T00:00:00Z");
    private static final Duration YEAR = Duration.ofDays(365);

    @TempDir Path directory;
    private Path folder;
    private KeyFolder keys;

    @BeforeEach
    void init() {
        folder = directory.resolve("keys");
        keys = at(NOW);
        keys.init(List.of("gpu.example", "192.0.2.7", "2001:db8::7"), YEAR);
    }

    @Test
    void givenNewFolder_whenFilesAreListed_thenOnlyOwnerCanReadKeys() throws IOException {
        keys.add("vm0", YEAR);
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.toList()) {
                String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
                if (Files.isDirectory(file)) {
                    assertEquals("rwx------", mode, file::toString);
                } else if (file.getFileName().toString().endsWith("key.pem")) {
                    assertEquals("rw-------", mode, file::toString);
                }
            }
        }
    }

    @Test
    void givenFolder_whenCertificatesAreRead_thenNamesHostsAndLifetimesAreAsRequested()
            throws Exception {
        X509Certificate server = PemFile.certificate(folder.resolve("server/cert.pem"));
        X509Certificate client = PemFile.certificate(keys.add("vm0", YEAR).resolve("cert.pem"));

        assertEquals("vm0", Credentials.nameOf(client));
        assertEquals(NOW.plus(YEAR), client.getNotAfter().toInstant());
        assertEquals(
                List.of("gpu.example", "192.0.2.7", "2001:db8:0:0:0:0:0:7"),
                server.getSubjectAlternativeNames().stream().map(name -> name.get(1)).toList());
        assertEquals(-1, client.getBasicConstraints());
    }

    @Test
    void givenFolder_whenCertificatesAreRenewedAndRevoked_thenListHasEachWithItsState() {
        keys.add("vm0", Duration.ofDays(1));
        keys.add("vm1", YEAR);
        keys.renew("vm1", YEAR.plusDays(1));

        assertEquals(2, keys.revoke("vm1"));
        assertEquals(0, keys.revoke("vm1"));

        List<String> list =
                at(NOW.plus(Duration.ofDays(2))).entries().stream()
                        .map(entry -> entry.name() + " " + entry.validity())
                        .toList();
        assertEquals(List.of("server VALID", "vm0 EXPIRED", "vm1 REVOKED", "vm1 REVOKED"), list);
    }

    @Test
    void givenRenewedBackend_whenItsCertificateIsRead_thenHostsAreKeptAndKeyIsNew()
            throws Exception {
        X509Certificate before = PemFile.certificate(folder.resolve("server/cert.pem"));
        keys.renew(KeyFolder.SERVER, YEAR);
        X509Certificate after = PemFile.certificate(folder.resolve("server/cert.pem"));

        assertEquals(
                List.copyOf(before.getSubjectAlternativeNames()),
                List.copyOf(after.getSubjectAlternativeNames()));
        assertNotEquals(before.getPublicKey(), after.getPublicKey());
    }

    @Test
    void givenExistingAuthority_whenInitialized_thenFilesStay() throws IOException {
        byte[] before = Files.readAllBytes(folder.resolve("ca-key.pem"));

        assertThrows(KeyFolderException.class, () -> keys.init(List.of("a"), YEAR));

        assertEquals(-1, Arrays.mismatch(before, readKey()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "server", "a b", "../x", ".hidden", "a/b", "a,CN=b"})
    void givenInvalidName_whenAdded_thenNameIsRefused(String name) {
        KeyFolderException refused =
                assertThrows(KeyFolderException.class, () -> keys.add(name, YEAR));

        assertTrue(refused.getMessage().startsWith("name=" + name + ","), refused::getMessage);
    }

    @Test
    void givenValidCertificate_whenAddedAgain_thenAddIsRefusedUntilItIsRevoked() {
        keys.add("vm0", YEAR);
        assertThrows(KeyFolderException.class, () -> keys.add("vm0", YEAR));
        keys.revoke("vm0");
        keys.add("vm0", YEAR);
    }

    @Test
    void givenUnknownName_whenRevokedOrRenewed_thenNameIsRefused() {
        assertThrows(KeyFolderException.class, () -> keys.revoke("vm9"));
        assertThrows(KeyFolderException.class, () -> keys.renew("vm9", YEAR));
    }

    @Test
    void givenOpenssl_whenItVerifiesCertificates_thenItAgrees() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "openssl is not installed");
        KeyFolder current = new KeyFolder(directory.resolve("now"), Clock.systemUTC());
        current.init(List.of("gpu.example"), YEAR);
        Path good = current.add("vm0", YEAR);
        Path bad = current.add("vm1", YEAR);
        current.revoke("vm1");
        String authority = directory.resolve("now/ca.pem").toString();
        String list = directory.resolve("now/crl.pem").toString();

        assertEquals(
                0,
                openssl(
                        "verify",
                        "-purpose",
                        "sslclient",
                        "-crl_check",
                        "-CAfile",
                        authority,
                        "-CRLfile",
                        list,
                        good.resolve("cert.pem").toString()));
        assertEquals(
                2,
                openssl(
                        "verify",
                        "-purpose",
                        "sslclient",
                        "-crl_check",
                        "-CAfile",
                        authority,
                        "-CRLfile",
                        list,
                        bad.resolve("cert.pem").toString()));
        assertEquals(
                0,
                openssl(
                        "verify",
                        "-purpose",
                        "sslserver",
                        "-verify_hostname",
                        "gpu.example",
                        "-CAfile",
                        authority,
                        directory.resolve("now/server/cert.pem").toString()));
        assertEquals(
                0, openssl("pkey", "-in", good.resolve("key.pem").toString(), "-check", "-noout"));
        assertFalse(Files.exists(good.resolve("crl.pem")));
    }

    @Test
    void givenInvalidHost_whenFolderIsCreated_thenLaterAttemptSucceeds() {
        Path other = directory.resolve("other");
        KeyFolder created = new KeyFolder(other, Clock.fixed(NOW, ZoneOffset.UTC));
        assertThrows(KeyFolderException.class, () -> created.init(List.of("1.2.3"), YEAR));

        created.init(List.of("1.2.3.4"), YEAR);

        assertTrue(Files.exists(created.add("vm0", YEAR).resolve("cert.pem")));
    }

    private KeyFolder at(Instant instant) {
        return new KeyFolder(folder, Clock.fixed(instant, ZoneOffset.UTC));
    }

    private byte[] readKey() throws IOException {
        return Files.readAllBytes(folder.resolve("ca-key.pem"));
    }

    private static int openssl(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "openssl";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        System.out.print(output.isBlank() ? "" : output);
        return status;
    }
}
