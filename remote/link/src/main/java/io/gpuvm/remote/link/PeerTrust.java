package io.gpuvm.remote.link;

import java.math.BigInteger;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Check of a peer's certificate: the JDK's check of the chain and of the purpose, and the list of
/// revoked certificates.
///
/// TLS has no text for its refusals, and the JDK answers every invalid certificate of a client with
/// the same alert. The check therefore passes a client whose certificate is only expired or
/// revoked; [Credentials#refusalOf] then refuses its first frame, with a text.
final class PeerTrust extends X509ExtendedTrustManager {
    /// Purpose of a client's certificate (RFC 5280, `id-kp-clientAuth`).
    private static final String CLIENT_PURPOSE = "1.3.6.1.5.5.7.3.2";

    private final X509ExtendedTrustManager chains;
    private final X509Certificate authority;
    private final Set<BigInteger> revoked;

    PeerTrust(X509ExtendedTrustManager chains, X509Certificate authority, Set<BigInteger> revoked) {
        this.chains = chains;
        this.authority = authority;
        this.revoked = revoked;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        try {
            chains.checkClientTrusted(chain, type, engine);
        } catch (CertificateException e) {
            if (!isOnlyExpired(chain[0])) {
                throw e;
            }
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        chains.checkServerTrusted(chain, type, engine);
        if (revoked.contains(chain[0].getSerialNumber())) {
            throw new CertificateException("the backend's certificate is revoked");
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw new CertificateException("connections use engines only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        throw new CertificateException("connections use engines only");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("connections use engines only");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        throw new CertificateException("connections use engines only");
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chains.getAcceptedIssuers();
    }

    /// Returns whether a client's certificate was valid until the end of its lifetime.
    private boolean isOnlyExpired(X509Certificate certificate) {
        try {
            certificate.checkValidity();
            return false;
        } catch (CertificateExpiredException _) {
            return wasValid(certificate);
        } catch (CertificateException _) {
            return false;
        }
    }

    private boolean wasValid(X509Certificate certificate) {
        try {
            List<String> purposes = certificate.getExtendedKeyUsage();
            if (purposes == null || !purposes.contains(CLIENT_PURPOSE)) {
                return false;
            }
            PKIXParameters then = new PKIXParameters(Set.of(new TrustAnchor(authority, null)));
            then.setRevocationEnabled(false);
            then.setDate(certificate.getNotAfter());
            CertPathValidator.getInstance("PKIX")
                    .validate(
                            CertificateFactory.getInstance("X.509")
                                    .generateCertPath(List.of(certificate)),
                            then);
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }
}
