package io.gpuvm.tests.virtualhost;

import io.gpuvm.linux.EventFd;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.time.Duration;
import java.time.Instant;

/// Runs inside the virtual host and tries what everything else there stands on.
///
/// Argument: the path of the card's VFIO group. Exit status 0 when all is there.
public final class Probe {
    private Probe() {}

    public static void main(String[] args) throws IOException {
        Instant started = ProcessHandle.current().info().startInstant().orElseThrow();
        Duration startup = Duration.between(started, Instant.now());
        event(
                "\"event\":\"measured\",\"name\":\"java.millisToMain\",\"value\":"
                        + startup.toMillis());
        try (EventFd event = EventFd.create()) {
            check("system calls work, eventfd is " + event.descriptor());
        }
        try (RandomAccessFile _ = new RandomAccessFile(args[0], "rw")) {
            check(args[0] + " opens");
        }
    }

    private static void check(String text) {
        event("\"event\":\"check\",\"ok\":true,\"text\":\"" + text + "\"");
    }

    private static void event(String members) {
        System.out.println("@gpuvm {" + members + "}");
    }
}
