package io.gpuvm.remote.link;

/// Service of a cluster that attests to every host of the cluster which user has written a message.
/// Any thread; methods wait for the service.
public interface ClusterSeal {
    /// Maximum length of a credential in bytes.
    int MOST_CREDENTIAL = 2048;

    /// Message, and the user who has sealed it.
    ///
    /// @param user number of the user
    record Opened(int user, byte[] payload) {}

    /// Returns a credential of this process's user.
    ///
    /// @return ASCII characters, at most [#MOST_CREDENTIAL]
    /// @throws SealException if the service does not answer
    String seal(byte[] payload) throws SealException;

    /// Checks a credential of a peer.
    ///
    /// @throws SealException if the credential is invalid, expired or has been opened before, or if
    ///   the service does not answer
    Opened open(String credential) throws SealException;
}
