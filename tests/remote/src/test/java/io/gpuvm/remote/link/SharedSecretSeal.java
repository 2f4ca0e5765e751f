package io.gpuvm.remote.link;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/// Seal of a cluster whose hosts share a secret, as those of MUNGE do, without a daemon: the user
/// is a field.
final class SharedSecretSeal implements ClusterSeal {
    private static final String MAC = "HmacSHA256";

    private final byte[] secret;

    /// User who seals.
    volatile int user;

    /// Last credential that was sealed.
    volatile String last = "";

    SharedSecretSeal(String secret, int user) {
        this.secret = secret.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        this.user = user;
    }

    @Override
    public String seal(byte[] payload) {
        byte[] body =
                ByteBuffer.allocate(Integer.BYTES + payload.length)
                        .putInt(user)
                        .put(payload)
                        .array();
        last = text(body) + ":" + text(mac(body));
        return last;
    }

    @Override
    public Opened open(String credential) throws SealException {
        String[] parts = credential.split(":");
        byte[] body = Base64.getDecoder().decode(parts[0]);
        if (parts.length != 2
                || !MessageDigest.isEqual(mac(body), Base64.getDecoder().decode(parts[1]))) {
            throw new SealException("invalid credential");
        }
        return new Opened(
                ByteBuffer.wrap(body).getInt(),
                Arrays.copyOfRange(body, Integer.BYTES, body.length));
    }

    private byte[] mac(byte[] body) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret, MAC));
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
