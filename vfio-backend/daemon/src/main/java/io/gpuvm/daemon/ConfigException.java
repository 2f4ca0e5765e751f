package io.gpuvm.daemon;

/// A configuration that cannot be served; the message names the option, the value and what would
/// do.
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    public ConfigException(String message, Throwable cause) {
        super(message, cause);
    }
}
