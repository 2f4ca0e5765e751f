package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.remote.link.LinkAddress;
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
