package io.gpuvm.remote.link;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Certificates of one end, in a folder of PEM files: [#AUTHORITY], [#CERTIFICATE], [#KEY] (in PKCS
/// 8), and optionally [#REVOKED]. One thread at a time.
public final class Credentials {
    private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);

    /// File with the certificate of the authority.
    public static final String AUTHORITY = "ca.pem";

    /// File with this end's certificate.
    public static final String CERTIFICATE = "cert.pem";

    /// File with this end's private key.
    public static final String KEY = "key.pem";

    /// File with the list of revoked certificates.
    public static final String REVOKED = "crl.pem";

    private static final List<String> FILES = List.of(AUTHORITY, CERTIFICATE, KEY, REVOKED);

    /// Interval of checks for changed files.
    private static final long CHECK_NS = TimeUnit.SECONDS.toNanos(1);

    private static final String[] PROTOCOLS = {"TLSv1.3"};

    /// AES with a key of 128 bits first: it is the fastest of the JDK's ciphers.
    private static final String[] CIPHERS = {
        "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"
    };

    /// Version of the files.
    private record Stamp(long modifiedMs, long bytes) {}

    /// Content of the files.
    private record Content(
            SSLContext context, X509Certificate certificate, Set<BigInteger> revoked) {}

    private final Path folder;

    /// True if this end presents a certificate.
    private final boolean presents;

    private List<Stamp> stamps;
    private Content content;
    private long checkedNs;
    private boolean checked;

    private Credentials(Path folder, boolean presents) {
        this.folder = folder;
        this.presents = presents;
    }

    /// Reads a folder.
    ///
    /// @throws IllegalArgumentException if a file is missing or invalid
    public static Credentials read(Path folder) {
        return read(new Credentials(folder, true));
    }

    /// Reads only the authority in a folder, for an end that presents no certificate.
    ///
    /// @throws IllegalArgumentException if the file is missing or invalid
    public static Credentials readAuthority(Path folder) {
        return read(new Credentials(folder, false));
    }

    private static Credentials read(Credentials credentials) {
        credentials.stamps = credentials.stamps();
        try {
            credentials.content = credentials.load();
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "certificates in %s: %s".formatted(credentials.folder, textOf(e)), e);
        }
        return credentials;
    }

    /// Returns this end's certificate; null if it presents none.
    public X509Certificate certificate() {
        return content.certificate;
    }

    /// Returns the name in a certificate: the common name of its subject; empty if it has none.
    public static String nameOf(X509Certificate certificate) {
        try {
            return new LdapName(certificate.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(part -> part.getType().equalsIgnoreCase("CN"))
                            .map(part -> part.getValue().toString())
                            .findFirst()
                            .orElse("");
        } catch (InvalidNameException _) {
            return "";
        }
    }

    /// Reads the files again if they have changed; checks at most once per second. If the new files
    /// are invalid, the former content stays valid.
    ///
    /// @return whether the content has changed
    boolean refresh(long nowNs) {
        if (checked && nowNs - checkedNs < CHECK_NS) {
            return false;
        }
        checked = true;
        checkedNs = nowNs;
        List<Stamp> now = stamps();
        if (now.equals(stamps)) {
            return false;
        }
        stamps = now;
        try {
            Content fresh = load();
            if (!content.revoked.isEmpty() && Files.notExists(folder.resolve(REVOKED))) {
                throw new IOException(
                        "%s is missing, and its last version has revoked certificates"
                                .formatted(REVOKED));
            }
            content = fresh;
            LOG.info("certificates in {} read again", folder);
            return true;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
            LOG.error("certificates in {} not read again: {}", folder, textOf(e));
            return false;
        }
    }

    long nanosUntilCheck(long nowNs) {
        return checked ? Math.max(0, checkedNs + CHECK_NS - nowNs) : 0;
    }

    boolean isRevoked(X509Certificate certificate) {
        return content.revoked.contains(certificate.getSerialNumber());
    }

    /// Returns the reason for which a client's certificate, whose chain is valid, is refused; null
    /// if it is accepted.
    String refusalOf(X509Certificate certificate) {
        String name = nameOf(certificate);
        if (isRevoked(certificate)) {
            return "the certificate of %s is revoked".formatted(name);
        }
        try {
            certificate.checkValidity();
            return null;
        } catch (CertificateExpiredException _) {
            return "the certificate of %s expired at %s"
                    .formatted(name, certificate.getNotAfter().toInstant());
        } catch (CertificateNotYetValidException _) {
            return "the certificate of %s is not valid before %s"
                    .formatted(name, certificate.getNotBefore().toInstant());
        }
    }

    /// Returns an engine for an accepted connection.
    ///
    /// @param mayOmit whether the client need not have a certificate
    SSLEngine serverEngine(boolean mayOmit) {
        SSLEngine engine = content.context.createSSLEngine();
        engine.setUseClientMode(false);
        SSLParameters parameters = parameters(engine);
        if (mayOmit) {
            parameters.setWantClientAuth(true);
        } else {
            parameters.setNeedClientAuth(true);
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    /// Returns an engine for a connection to a host, whose name must be in its certificate.
    SSLEngine clientEngine(String host, int port) {
        SSLEngine engine = content.context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = parameters(engine);
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        engine.setSSLParameters(parameters);
        return engine;
    }

    private static SSLParameters parameters(SSLEngine engine) {
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setProtocols(PROTOCOLS);
        parameters.setCipherSuites(CIPHERS);
        return parameters;
    }

    private List<Stamp> stamps() {
        List<Stamp> all = new ArrayList<>();
        for (String name : FILES) {
            Path file = folder.resolve(name);
            try {
                all.add(new Stamp(Files.getLastModifiedTime(file).toMillis(), Files.size(file)));
            } catch (IOException _) {
                all.add(new Stamp(0, 0));
            }
        }
        return all;
    }

    private Content load() throws IOException, GeneralSecurityException {
        X509Certificate authority = certificate(folder.resolve(AUTHORITY));
        X509Certificate own = presents ? certificate(folder.resolve(CERTIFICATE)) : null;
        Set<BigInteger> revoked = revoked(folder.resolve(REVOKED), authority);

        char[] none = new char[0];
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, none);
        if (presents) {
            PrivateKey key = privateKey(folder.resolve(KEY), own.getPublicKey().getAlgorithm());
            requirePair(own, key);
            keys.setKeyEntry("own", key, none, new X509Certificate[] {own});
        }
        KeyManagerFactory keyManagers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keyManagers.init(keys, none);
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, none);
        trusted.setCertificateEntry("ca", authority);
        TrustManagerFactory trustManagers = TrustManagerFactory.getInstance("PKIX");
        trustManagers.init(trusted);
        X509ExtendedTrustManager chain =
                (X509ExtendedTrustManager) trustManagers.getTrustManagers()[0];

        SSLContext context = SSLContext.getInstance("TLSv1.3");
        TrustManager[] both = {new PeerTrust(chain, authority, revoked)};
        context.init(keyManagers.getKeyManagers(), both, null);
        return new Content(context, own, revoked);
    }

    private static X509Certificate certificate(Path file)
            throws IOException, GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509")
                        .generateCertificate(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    private static PrivateKey privateKey(Path file, String algorithm)
            throws IOException, GeneralSecurityException {
        String text = Files.readString(file, StandardCharsets.US_ASCII);
        String base64 = text.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        byte[] encoded;
        try {
            encoded = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException(file + " is no PEM file", e);
        }
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    /// Detects a folder in which only one of two files has been replaced.
    private static void requirePair(X509Certificate own, PrivateKey key)
            throws GeneralSecurityException {
        String algorithm = key.getAlgorithm().startsWith("Ed") ? "EdDSA" : "SHA256withECDSA";
        byte[] sample = {1};
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(sample);
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(own.getPublicKey());
        verifying.update(sample);
        if (!verifying.verify(signing.sign())) {
            throw new GeneralSecurityException(KEY + " is not the key of " + CERTIFICATE);
        }
    }

    private static Set<BigInteger> revoked(Path file, X509Certificate authority)
            throws IOException, GeneralSecurityException {
        Set<BigInteger> serials = new HashSet<>();
        if (Files.exists(file)) {
            X509CRL list =
                    (X509CRL)
                            CertificateFactory.getInstance("X.509")
                                    .generateCRL(
                                            new ByteArrayInputStream(Files.readAllBytes(file)));
            list.verify(authority.getPublicKey());
            if (list.getRevokedCertificates() != null) {
                list.getRevokedCertificates().forEach(one -> serials.add(one.getSerialNumber()));
            }
        }
        return serials;
    }

    private static String textOf(Exception e) {
        return e instanceof java.nio.file.NoSuchFileException
                ? "no file " + e.getMessage()
                : e.getMessage();
    }
}
