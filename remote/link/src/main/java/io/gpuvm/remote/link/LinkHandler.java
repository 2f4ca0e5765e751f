package io.gpuvm.remote.link;

/// User of a [LinkListener]. All methods are called on the loop's thread, and must not wait.
public interface LinkHandler {
    /// Decision on a request for a link.
    ///
    /// @param isAccepted whether the link is accepted
    /// @param content answer for the dialling end, at most 4,096 bytes; empty in a refusal
    /// @param reason reason of a refusal for the peer's user, at most 400 ASCII characters
    record Decision(boolean isAccepted, byte[] content, String reason) {
        public static Decision accept(byte[] content) {
            return new Decision(true, content, "");
        }

        public static Decision refuse(String reason) {
            return new Decision(false, new byte[0], reason);
        }
    }

    /// Value that stands for no user.
    int NO_USER = -1;

    /// Returns the number of the user who may use a virtual machine with a credential of the
    /// cluster instead of a certificate; [#NO_USER] if there is none.
    default int userOf(String name) {
        return NO_USER;
    }

    /// Decides on a request for a link. If the link is accepted, [#onLink] is called next, unless
    /// the host lacks memory or descriptors.
    ///
    /// @param name name of the virtual machine: the name in the client's certificate, or the name
    ///   in the credential of its user; without TLS the name that the client claims
    /// @param request bytes of the dialling end
    Decision decide(String name, byte[] request);

    /// Takes over a link, whose state is [LinkState#CONNECTING] or [LinkState#LOST]. The handler
    /// must close it.
    void onLink(Link link, byte[] request);
}
