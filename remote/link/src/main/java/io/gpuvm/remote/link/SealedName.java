package io.gpuvm.remote.link;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/// Message that a client seals instead of presenting a certificate: the name of the virtual
/// machine, and a value that binds the credential to one TLS connection.
///
/// The value is an exporter of TLS 1.3 (RFC 8446, 7.5): it depends on random numbers of both ends
/// and on the certificate of the backend. The backend's random number is thus its nonce, and a
/// credential is worthless on any other connection, also for another backend that has received it.
final class SealedName {
    /// Label of the exporter.
    static final String LABEL = "EXPORTER-gpuvm-link-credential";

    /// Length of the exporter in bytes.
    static final int BINDING_BYTES = 32;

    private static final String FORMAT = "gpuvm-link 1 %s %s";

    private SealedName() {}

    /// @param name name of the virtual machine
    /// @param binding exporter of the connection
    static byte[] payload(String name, byte[] binding) {
        return FORMAT.formatted(name, HexFormat.of().formatHex(binding))
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns whether a payload has this name and this binding.
    static boolean matches(byte[] payload, String name, byte[] binding) {
        return MessageDigest.isEqual(payload, payload(name, binding));
    }
}
