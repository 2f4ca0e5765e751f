package io.gpuvm.trap.vfiouser;

/// Handler of one command.
interface CommandHandler {
    /// Validates the message, then executes its command. A handler that refuses a message has no
    /// other effect.
    ///
    /// @return length of the body that the handler has written to the reply, or [Request#REFUSED]
    int handle(Request request, Reply reply);
}
