package io.gpuvm.remote.keys;

import io.gpuvm.remote.link.Credentials;
import io.gpuvm.remote.link.VmName;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509CRL;
import java.security.cert.X509CRLEntry;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Folder of an authority and of the certificates that it has issued:
///
/// ```text
/// ca.pem, ca-key.pem     certificate and private key of the authority
/// crl.pem                revoked certificates
/// issued/                every certificate that was ever issued
/// server/                folder for the backend: ca.pem, cert.pem, key.pem, crl.pem
/// clients/VM/            folder for the agents of a virtual machine: ca.pem, cert.pem, key.pem
/// ```
public final class KeyFolder {
    /// Name of the backend's certificate, which no virtual machine can have.
    public static final String SERVER = "server";

    /// Default lifetime of the certificates of backends and of virtual machines.
    public static final Duration LIFETIME = Duration.ofDays(397);

    /// Lifetime of the authority and of its list of revoked certificates.
    private static final Duration AUTHORITY_LIFETIME = Duration.ofDays(3652);

    private static final String AUTHORITY_NAME = "gpuvm CA";
    private static final String AUTHORITY_KEY = "ca-key.pem";
    private static final String ISSUED = "issued";
    private static final String CLIENTS = "clients";
    private static final String DIRECTORY_PERMISSIONS = "rwx------";
    private static final int SUBJECT_ALTERNATIVE_TEXT = 1;

    /// State of a certificate.
    public enum Validity {
        VALID,
        EXPIRED,
        REVOKED
    }

    /// Certificate in the list.
    ///
    /// @param name name of the virtual machine, or [#SERVER]
    /// @param serial serial number
    /// @param until end of its lifetime
    /// @param validity state
    public record Entry(String name, BigInteger serial, Instant until, Validity validity) {}

    private final Path folder;
    private final Clock clock;

    /// @param folder folder, which [#init] creates
    /// @param clock clock for lifetimes
    public KeyFolder(Path folder, Clock clock) {
        this.folder = folder;
        this.clock = clock;
    }

    /// Creates the folder with an authority, and the certificate of the backend.
    ///
    /// @param hosts names and numeric addresses by which agents connect, at least one
    public void init(List<String> hosts, Duration lifetime) {
        if (hosts.isEmpty()) {
            throw new KeyFolderException("hosts=0, expected at least 1");
        }
        if (Files.exists(folder.resolve(AUTHORITY_KEY))) {
            throw new KeyFolderException(folder + " already has an authority");
        }
        Authority authority = Authority.create(AUTHORITY_NAME, clock.instant(), AUTHORITY_LIFETIME);
        try {
            // Before any file is written: a host may be invalid.
            Authority.Issued issued =
                    authority.issueServer(SERVER, hosts, clock.instant(), lifetime);
            createFolder(folder);
            createFolder(folder.resolve(ISSUED));
            createFolder(folder.resolve(CLIENTS));
            write(folder.resolve(AUTHORITY_KEY), authority.key());
            write(folder.resolve(Credentials.AUTHORITY), authority.certificate());
            store(folder.resolve(SERVER), issued);
            writeRevoked(authority, Map.of());
        } catch (IOException | IllegalArgumentException e) {
            throw new KeyFolderException(folder + ": " + e.getMessage(), e);
        }
    }

    /// Issues a certificate for a virtual machine.
    ///
    /// @return folder for the agents of the virtual machine
    public Path add(String vm, Duration lifetime) {
        if (!VmName.isValid(vm) || vm.equals(SERVER) || vm.startsWith(".")) {
            throw new KeyFolderException(
                    "name=%s, expected %s, not %s, without a dot at the start"
                            .formatted(vm, VmName.EXPECTED, SERVER));
        }
        if (entries().stream()
                .anyMatch(one -> one.name().equals(vm) && one.validity() == Validity.VALID)) {
            throw new KeyFolderException(vm + " has a valid certificate: renew or revoke it");
        }
        return issueClient(vm, lifetime);
    }

    /// Issues another certificate and another private key for the backend or for a virtual machine.
    /// The former certificate stays valid until its end.
    ///
    /// @return folder with the new files
    public Path renew(String name, Duration lifetime) {
        if (entries().stream().noneMatch(one -> one.name().equals(name))) {
            throw new KeyFolderException("name=" + name + " has no certificate");
        }
        if (!name.equals(SERVER)) {
            return issueClient(name, lifetime);
        }
        try {
            Path at = folder.resolve(SERVER);
            X509Certificate former = PemFile.certificate(at.resolve(Credentials.CERTIFICATE));
            List<String> hosts = hostsOf(former);
            store(at, authority().issueServer(SERVER, hosts, clock.instant(), lifetime));
            return at;
        } catch (IOException | GeneralSecurityException e) {
            throw new KeyFolderException(folder + ": " + e.getMessage(), e);
        }
    }

    /// Revokes all certificates of a name. Backends that use the folder `server`, or get a copy of
    /// the list, end the links with these certificates within seconds.
    ///
    /// @return number of certificates revoked now
    public int revoke(String name) {
        try {
            Map<BigInteger, Date> revoked = revoked();
            int before = revoked.size();
            boolean found = false;
            for (X509Certificate one : issued()) {
                if (Credentials.nameOf(one).equals(name)) {
                    found = true;
                    revoked.putIfAbsent(one.getSerialNumber(), Date.from(clock.instant()));
                }
            }
            if (!found) {
                throw new KeyFolderException("name=" + name + " has no certificate");
            }
            writeRevoked(authority(), revoked);
            return revoked.size() - before;
        } catch (IOException | GeneralSecurityException e) {
            throw new KeyFolderException(folder + ": " + e.getMessage(), e);
        }
    }

    /// Returns all certificates, by name and end of lifetime.
    public List<Entry> entries() {
        try {
            Map<BigInteger, Date> revoked = revoked();
            List<Entry> entries = new ArrayList<>();
            for (X509Certificate one : issued()) {
                Instant until = one.getNotAfter().toInstant();
                Validity validity =
                        revoked.containsKey(one.getSerialNumber())
                                ? Validity.REVOKED
                                : clock.instant().isAfter(until)
                                        ? Validity.EXPIRED
                                        : Validity.VALID;
                entries.add(
                        new Entry(Credentials.nameOf(one), one.getSerialNumber(), until, validity));
            }
            entries.sort(Comparator.comparing(Entry::name).thenComparing(Entry::until));
            return entries;
        } catch (IOException | GeneralSecurityException e) {
            throw new KeyFolderException(folder + ": " + e.getMessage(), e);
        }
    }

    private Path issueClient(String vm, Duration lifetime) {
        try {
            Path at = folder.resolve(CLIENTS).resolve(vm);
            store(at, authority().issueClient(vm, clock.instant(), lifetime));
            return at;
        } catch (IOException | GeneralSecurityException e) {
            throw new KeyFolderException(folder + ": " + e.getMessage(), e);
        }
    }

    private Authority authority() throws IOException, GeneralSecurityException {
        X509Certificate certificate = PemFile.certificate(folder.resolve(Credentials.AUTHORITY));
        PrivateKey key = PemFile.privateKey(folder.resolve(AUTHORITY_KEY));
        return new Authority(certificate, key);
    }

    /// Writes the files of an end; the record of the certificate first, so that every certificate
    /// in use can be revoked.
    private void store(Path at, Authority.Issued issued) throws IOException {
        X509Certificate certificate = issued.certificate();
        String record =
                "%s-%s.pem"
                        .formatted(
                                Credentials.nameOf(certificate),
                                certificate.getSerialNumber().toString(16));
        write(folder.resolve(ISSUED).resolve(record), certificate);
        createFolder(at);
        Files.copy(
                folder.resolve(Credentials.AUTHORITY),
                at.resolve(Credentials.AUTHORITY),
                StandardCopyOption.REPLACE_EXISTING);
        write(at.resolve(Credentials.KEY), issued.key());
        write(at.resolve(Credentials.CERTIFICATE), certificate);
    }

    private List<X509Certificate> issued() throws IOException, GeneralSecurityException {
        List<X509Certificate> all = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(folder.resolve(ISSUED), "*.pem")) {
            for (Path file : files) {
                all.add(PemFile.certificate(file));
            }
        }
        return all;
    }

    private Map<BigInteger, Date> revoked() throws IOException, GeneralSecurityException {
        Map<BigInteger, Date> revoked = new HashMap<>();
        X509CRL list = PemFile.revoked(folder.resolve(Credentials.REVOKED));
        if (list.getRevokedCertificates() != null) {
            for (X509CRLEntry entry : list.getRevokedCertificates()) {
                revoked.put(entry.getSerialNumber(), entry.getRevocationDate());
            }
        }
        return revoked;
    }

    private void writeRevoked(Authority authority, Map<BigInteger, Date> revoked)
            throws IOException {
        X509CRL list = authority.revoke(revoked, clock.instant(), AUTHORITY_LIFETIME);
        try {
            for (Path at : List.of(folder, folder.resolve(SERVER))) {
                PemFile.write(
                        at.resolve(Credentials.REVOKED), PemFile.Label.REVOKED, list.getEncoded());
            }
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    private static List<String> hostsOf(X509Certificate certificate)
            throws GeneralSecurityException {
        List<String> hosts = new ArrayList<>();
        Collection<List<?>> names = certificate.getSubjectAlternativeNames();
        if (names != null) {
            names.forEach(name -> hosts.add((String) name.get(SUBJECT_ALTERNATIVE_TEXT)));
        }
        return hosts;
    }

    private static void createFolder(Path at) throws IOException {
        if (!Files.isDirectory(at)) {
            Files.createDirectory(
                    at,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString(DIRECTORY_PERMISSIONS)));
        }
    }

    private static void write(Path file, PrivateKey key) throws IOException {
        PemFile.write(file, PemFile.Label.PRIVATE_KEY, key.getEncoded());
    }

    private static void write(Path file, X509Certificate certificate) throws IOException {
        try {
            PemFile.write(file, PemFile.Label.CERTIFICATE, certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }
}
