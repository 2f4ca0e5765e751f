package io.gpuvm.remote.link;

import java.security.MessageDigest;
import java.security.SecureRandom;

/// Identity of a link on the wire: a public identifier, and a secret that only both ends know.
///
/// @param high first half of the identifier
/// @param low second half of the identifier
/// @param secret 256 bits
record SessionKey(long high, long low, byte[] secret) {
    static final int SECRET_BYTES = 32;

    /// Key of a link that the listener has not named yet.
    static final SessionKey NONE = new SessionKey(0, 0, new byte[SECRET_BYTES]);

    /// Identifier of a link.
    record Id(long high, long low) {}

    static SessionKey create(SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new SessionKey(random.nextLong(), random.nextLong(), secret);
    }

    Id id() {
        return new Id(high, low);
    }

    /// Compares secrets in a time that is independent of their content.
    boolean hasSecretOf(SessionKey other) {
        return MessageDigest.isEqual(secret, other.secret);
    }

    /// Returns a text without the secret.
    @Override
    public String toString() {
        return "%016x%016x".formatted(high, low);
    }
}
