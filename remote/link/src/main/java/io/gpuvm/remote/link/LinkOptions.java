package io.gpuvm.remote.link;

import java.time.Duration;

/// Limits of links.
///
/// @param grace time within which a broken connection must resume
/// @param connect time within which both connections of a new link must be established
/// @param handshake time from the begin of a connection to the end of its handshake and greetings
/// @param heartbeat time after which an idle connection sends a frame
/// @param silence time after which a connection that receives nothing counts as broken
/// @param mostHandshakes maximum number of accepted connections in handshakes; another connection
///   replaces the oldest connection of the address that has most
/// @param mostLinks maximum number of links of a listener
/// @param callsBytes size of each ring of the lane of calls, a power of 2, at least 512 KiB
/// @param bulkBytes size of each ring of the lane of bulk data, a power of 2, at least 512 KiB
/// @param compression whether frames of bulk data that compress are compressed
public record LinkOptions(
        Duration grace,
        Duration connect,
        Duration handshake,
        Duration heartbeat,
        Duration silence,
        int mostHandshakes,
        int mostLinks,
        int callsBytes,
        int bulkBytes,
        boolean compression) {
    static final int FEWEST_BYTES = 512 * 1024;

    /// Defaults. The ring of bulk data holds twice as much as a line of 1 Gbit/s with a round-trip
    /// time of 60 ms.
    public static final LinkOptions DEFAULT =
            new LinkOptions(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(2),
                    Duration.ofSeconds(6),
                    64,
                    1024,
                    1 << 20,
                    1 << 24,
                    true);

    public LinkOptions {
        for (int bytes : new int[] {callsBytes, bulkBytes}) {
            if (bytes < FEWEST_BYTES || Integer.bitCount(bytes) != 1) {
                throw new IllegalArgumentException(
                        "bytes=%d, expected a power of 2 of at least %d"
                                .formatted(bytes, FEWEST_BYTES));
            }
        }
        if (mostHandshakes < 1 || mostLinks < 1) {
            throw new IllegalArgumentException(
                    "handshakes=%d links=%d, expected at least 1"
                            .formatted(mostHandshakes, mostLinks));
        }
    }

    public LinkOptions withGrace(Duration newGrace) {
        return new LinkOptions(
                newGrace,
                connect,
                handshake,
                heartbeat,
                silence,
                mostHandshakes,
                mostLinks,
                callsBytes,
                bulkBytes,
                compression);
    }

    /// Returns options with other times for heartbeats and for silence.
    public LinkOptions withHeartbeat(Duration newHeartbeat, Duration newSilence) {
        return new LinkOptions(
                grace,
                connect,
                handshake,
                newHeartbeat,
                newSilence,
                mostHandshakes,
                mostLinks,
                callsBytes,
                bulkBytes,
                compression);
    }

    /// Returns options with other times for the first connections, and for each connection.
    public LinkOptions withConnect(Duration newConnect, Duration newHandshake) {
        return new LinkOptions(
                grace,
                newConnect,
                newHandshake,
                heartbeat,
                silence,
                mostHandshakes,
                mostLinks,
                callsBytes,
                bulkBytes,
                compression);
    }

    /// Returns options with other sizes of rings.
    public LinkOptions withRings(int newCallsBytes, int newBulkBytes) {
        return new LinkOptions(
                grace,
                connect,
                handshake,
                heartbeat,
                silence,
                mostHandshakes,
                mostLinks,
                newCallsBytes,
                newBulkBytes,
                compression);
    }

    /// Returns options with or without compression.
    public LinkOptions withCompression(boolean newCompression) {
        return new LinkOptions(
                grace,
                connect,
                handshake,
                heartbeat,
                silence,
                mostHandshakes,
                mostLinks,
                callsBytes,
                bulkBytes,
                newCompression);
    }

    int ringBytes(Lane lane) {
        return lane == Lane.CALLS ? callsBytes : bulkBytes;
    }
}
