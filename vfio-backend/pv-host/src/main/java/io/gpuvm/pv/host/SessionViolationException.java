package io.gpuvm.pv.host;

/// Thrown by [SessionFrontEnd#doWork] if the client violates the protocol in a way that ends its
/// session. The poller drops the guest, and logs the message as an error of the client. For an
/// excessive value, the message names the value and the limit.
public final class SessionViolationException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /// Creates an exception without a stack trace, since its cause is the client.
    public SessionViolationException(String message) {
        super(message, null, false, false);
    }
}
