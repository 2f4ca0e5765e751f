package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.remote.link.ClusterSeal;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.Munge;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/// Options of both ends of a network.
final class NetworkOptions {
    private static final int MOST_GRACE_SECONDS = 3600;

    @Option(
            names = "--tls",
            paramLabel = "DIR",
            description =
                    "Folder with ca.pem, cert.pem and key.pem, as 'gpuvm keys' makes it. Required for"
                            + " every connection with TLS. Default: none.")
    private Path certificates;

    @Option(
            names = "--grace",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description =
                    "Time within which a broken connection must resume, in seconds, 1 to 3600; the"
                            + " shorter one of both ends is valid. Default: ${DEFAULT-VALUE}.")
    private int graceSeconds;

    @Option(
            names = "--munge",
            description =
                    "MUNGE, within a cluster, instead of the client's certificate: 'serve' also accepts"
                            + " the user of a virtual machine (uid=) on any host of the cluster,"
                            + " 'connect' presents a credential of its user, and reads only ca.pem."
                            + " Requires --tls. Default: certificates only.")
    private boolean munge;

    @Option(
            names = "--munge-socket",
            paramLabel = "PATH",
            description = "Socket of the MUNGE daemon. Default: that of libmunge.")
    private Path mungeSocket;

    boolean usesMunge() {
        if (mungeSocket != null && !munge) {
            throw new ConfigException("--munge-socket requires --munge");
        }
        return munge;
    }

    /// Returns the seal of the cluster; null without `--munge`.
    ///
    /// @throws ConfigException if the host lacks the library
    ClusterSeal seal() {
        if (!usesMunge()) {
            return null;
        }
        try {
            return Munge.load(mungeSocket);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("--munge: " + e.getMessage(), e);
        }
    }

    /// Returns the folder of the certificates; null if there is none.
    Path certificates() {
        return certificates;
    }

    Duration grace() {
        if (graceSeconds < 1 || graceSeconds > MOST_GRACE_SECONDS) {
            throw new ConfigException(
                    "--grace %d, expected 1 to %d seconds"
                            .formatted(graceSeconds, MOST_GRACE_SECONDS));
        }
        return Duration.ofSeconds(graceSeconds);
    }

    /// Parses an address; without `tls:` or `tcp:`, the connection uses TLS.
    ///
    /// @param option name of the option or parameter, for messages
    static LinkAddress address(String option, String text) {
        boolean hasScheme = text.startsWith("tls:") || text.startsWith("tcp:");
        try {
            return LinkAddress.parse(hasScheme ? text : "tls:" + text);
        } catch (IllegalArgumentException e) {
            throw new ConfigException("%s: %s".formatted(option, e.getMessage()), e);
        }
    }
}
