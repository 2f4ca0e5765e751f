package io.gpuvm.binding;

/// A card was not bound, or not given back; the message names the card, the reason and what to do.
public final class BindingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BindingException(String message) {
        super(message);
    }

    BindingException(String message, Throwable cause) {
        super(message, cause);
    }
}
