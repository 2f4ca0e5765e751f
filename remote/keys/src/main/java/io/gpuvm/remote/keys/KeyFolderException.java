package io.gpuvm.remote.keys;

/// Thrown if a folder of certificates cannot be read or changed as requested.
public final class KeyFolderException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    KeyFolderException(String message) {
        super(message);
    }

    KeyFolderException(String message, Throwable cause) {
        super(message, cause);
    }
}
