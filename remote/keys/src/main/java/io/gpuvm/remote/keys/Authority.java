package io.gpuvm.remote.keys;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.CRLNumber;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CRLConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/// Issuer of certificates. Keys are on the curve P-256, whose signatures the JDK computes fastest.
///
/// @param certificate own certificate
/// @param key own private key
record Authority(X509Certificate certificate, PrivateKey key) {
    private static final String CURVE = "secp256r1";
    private static final String SIGNATURE = "SHA256withECDSA";
    private static final int SERIAL_BITS = 127;

    /// Time by which a peer's clock may be late.
    private static final Duration SKEW = Duration.ofMinutes(5);

    private static final Pattern NUMERIC = Pattern.compile("[0-9.]+|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*");

    /// Certificate and its private key.
    ///
    /// @param certificate certificate that the authority has signed
    /// @param key private key
    record Issued(X509Certificate certificate, PrivateKey key) {}

    /// Creates an authority with a self-signed certificate.
    static Authority create(String name, Instant now, Duration lifetime) {
        try {
            KeyPair pair = pair();
            X500NameBuilder subject = new X500NameBuilder().addRDN(BCStyle.CN, name);
            JcaX509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(
                            subject.build(),
                            serial(),
                            Date.from(now.minus(SKEW)),
                            Date.from(now.plus(lifetime)),
                            subject.build(),
                            pair.getPublic());
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(
                            Extension.keyUsage,
                            true,
                            new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            identifiers.createSubjectKeyIdentifier(pair.getPublic()));
            return new Authority(sign(builder, pair.getPrivate()), pair.getPrivate());
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("the JDK cannot create keys on P-256", e);
        }
    }

    /// Issues a certificate for a backend.
    ///
    /// @param hosts names and numeric addresses by which agents connect
    Issued issueServer(String name, List<String> hosts, Instant now, Duration lifetime) {
        GeneralName[] names =
                hosts.stream()
                        .map(host ->
                                new GeneralName(
                                        NUMERIC.matcher(host).matches()
                                                ? GeneralName.iPAddress
                                                : GeneralName.dNSName,
                                        host))
                        .toArray(GeneralName[]::new);
        return issue(name, KeyPurposeId.id_kp_serverAuth, names, now, lifetime);
    }

    /// Issues a certificate for the agents of a virtual machine.
    Issued issueClient(String name, Instant now, Duration lifetime) {
        return issue(name, KeyPurposeId.id_kp_clientAuth, new GeneralName[0], now, lifetime);
    }

    /// Returns the signed list of revoked certificates.
    ///
    /// @param revoked times of revocation by serial number
    X509CRL revoke(Map<BigInteger, Date> revoked, Instant now, Duration lifetime) {
        try {
            X509v2CRLBuilder builder = new JcaX509v2CRLBuilder(certificate, Date.from(now));
            builder.setNextUpdate(Date.from(now.plus(lifetime)));
            builder.addExtension(
                    Extension.cRLNumber,
                    false,
                    new CRLNumber(BigInteger.valueOf(now.toEpochMilli())));
            revoked.forEach(
                    (serial, since) -> builder.addCRLEntry(serial, since, CRLReason.unspecified));
            return new JcaX509CRLConverter().getCRL(builder.build(signer(key)));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("the list of revoked certificates", e);
        }
    }

    private Issued issue(
            String name,
            KeyPurposeId purpose,
            GeneralName[] alternatives,
            Instant now,
            Duration lifetime) {
        try {
            KeyPair pair = pair();
            JcaX509v3CertificateBuilder builder =
                    new JcaX509v3CertificateBuilder(
                            certificate,
                            serial(),
                            Date.from(now.minus(SKEW)),
                            Date.from(now.plus(lifetime)),
                            new X500Principal("CN=" + name),
                            pair.getPublic());
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            identifiers.createSubjectKeyIdentifier(pair.getPublic()))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            identifiers.createAuthorityKeyIdentifier(certificate));
            if (alternatives.length > 0) {
                builder.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(alternatives));
            }
            return new Issued(sign(builder, key), pair.getPrivate());
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("the certificate of " + name, e);
        }
    }

    private static KeyPair pair() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec(CURVE));
        return generator.generateKeyPair();
    }

    private static BigInteger serial() {
        return new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE);
    }

    private static X509Certificate sign(JcaX509v3CertificateBuilder builder, PrivateKey key)
            throws GeneralSecurityException {
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer(key)));
    }

    private static ContentSigner signer(PrivateKey key) {
        try {
            return new JcaContentSignerBuilder(SIGNATURE).build(key);
        } catch (OperatorCreationException e) {
            throw new IllegalStateException(SIGNATURE, e);
        }
    }
}
