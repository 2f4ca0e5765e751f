package io.gpuvm.remote.link;

/// Production of a credential. It runs on another thread; the result is read on the loop's thread
/// after it.
final class Sealing {
    private final byte[] payload;
    private String credential;
    private String failure;

    Sealing(byte[] payload) {
        this.payload = payload;
    }

    /// Seals the payload. Another thread.
    void run(ClusterSeal seal) {
        try {
            credential = seal.seal(payload);
        } catch (SealException e) {
            failure = e.getMessage();
        }
    }

    String credential() {
        return credential;
    }

    /// Returns the reason for which there is no credential; null if there is one.
    String failure() {
        return failure;
    }
}
