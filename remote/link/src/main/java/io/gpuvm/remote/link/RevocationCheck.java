package io.gpuvm.remote.link;

import java.math.BigInteger;
import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/// Check of a peer's certificate: the JDK's check of the chain, then a look into the list of
/// revoked certificates. Unlike the JDK's check, an outdated list stays valid, so that a backend
/// does not become unreachable.
final class RevocationCheck extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager chains;
    private final Set<BigInteger> revoked;

    RevocationCheck(X509ExtendedTrustManager chains, Set<BigInteger> revoked) {
        this.chains = chains;
        this.revoked = revoked;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        chains.checkClientTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
            throws CertificateException {
        chains.checkServerTrusted(chain, type, engine);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        chains.checkClientTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
            throws CertificateException {
        chains.checkServerTrusted(chain, type, socket);
        check(chain);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        chains.checkClientTrusted(chain, type);
        check(chain);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type)
            throws CertificateException {
        chains.checkServerTrusted(chain, type);
        check(chain);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chains.getAcceptedIssuers();
    }

    private void check(X509Certificate[] chain) throws CertificateException {
        if (revoked.contains(chain[0].getSerialNumber())) {
            String text =
                    "the certificate of %s is revoked".formatted(Credentials.nameOf(chain[0]));
            throw new CertificateException(
                    text,
                    new CertPathValidatorException(text, null, null, -1, BasicReason.REVOKED));
        }
    }
}
