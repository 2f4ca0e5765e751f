package io.gpuvm.remote.link;

/// Thrown if a [ClusterSeal] does not seal a message, or does not accept a credential.
public final class SealException extends Exception {
    private static final long serialVersionUID = 1L;

    public SealException(String message) {
        super(message);
    }
}
