package io.gpuvm.remote.link;

/// Check of the credential in a hello. The check runs on another thread; the result is read on the
/// loop's thread after it.
final class Attestation {
    private final Greeting hello;
    private final byte[] binding;
    private volatile boolean abandoned;
    private boolean done;
    private int user;
    private String refusal;

    /// @param binding exporter of the connection ([SealedName])
    Attestation(Greeting hello, byte[] binding) {
        this.hello = hello;
        this.binding = binding;
    }

    /// Opens the credential. Another thread.
    void run(ClusterSeal seal) {
        if (abandoned) {
            return;
        }
        if (hello.credential().isEmpty()) {
            refusal = "neither a certificate nor a credential was presented";
            return;
        }
        try {
            ClusterSeal.Opened opened = seal.open(hello.credential());
            user = opened.user();
            if (!SealedName.matches(opened.payload(), hello.name(), binding)) {
                refusal = "the credential is for another connection";
            }
        } catch (SealException e) {
            refusal = e.getMessage();
        }
    }

    /// Omits the check if it has not begun, because the connection has ended: connections that come
    /// faster than the seal answers must not wait one after the other.
    void abandon() {
        abandoned = true;
    }

    void complete() {
        done = true;
    }

    boolean isDone() {
        return done;
    }

    Greeting hello() {
        return hello;
    }

    /// Returns the number of the user who has sealed the credential.
    int user() {
        return user;
    }

    /// Returns the reason for which the credential is refused; null if it is valid.
    String refusal() {
        return refusal;
    }
}
