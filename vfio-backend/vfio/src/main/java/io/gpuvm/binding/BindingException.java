package io.gpuvm.binding;

/// Failure to bind a card or to restore its driver; the message names the card, the reason and the
/// remedy.
public final class BindingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BindingException(String message) {
        super(message);
    }

    BindingException(String message, Throwable cause) {
        super(message, cause);
    }
}
