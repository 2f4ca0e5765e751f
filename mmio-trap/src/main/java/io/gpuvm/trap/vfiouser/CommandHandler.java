package io.gpuvm.trap.vfiouser;

/// Does what one command asks for.
interface CommandHandler {
    /// Validates the message, then acts on it. A handler refuses before it has any effect.
    ///
    /// @return length of the body it has written to the reply, or [Request#REFUSED]
    int handle(Request request, Reply reply);
}
