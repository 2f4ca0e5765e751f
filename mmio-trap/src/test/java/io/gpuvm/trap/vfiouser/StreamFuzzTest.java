package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.MemFd;
import io.gpuvm.tests.support.OpenDescriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Fuzz test with random clients: no message may make the server throw, hang, leak a descriptor or
/// affect the next client.
@Timeout(600)
class StreamFuzzTest {
    private static final int READ = 9;
    private static final int WRITE = 10;
    private static final int CONFIG = 7;
    private static final byte[] BUS_MASTER = RawVfioUserClient.le16(4);
    private static final long[] INTERESTING = {
        0,
        1,
        2,
        4,
        7,
        8,
        15,
        16,
        20,
        24,
        31,
        32,
        4095,
        4096,
        0x7fffffffL,
        0x80000000L,
        0xffffffffL,
        0x100000L,
        1L << 43,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        -4096,
        -1
    };

    private final EventFd event = EventFd.create();
    private final MemFd ram = MemFd.create("ram", 1 << 20);

    @Test
    void givenRandomClients_whenServed_thenNextClientIsServed() {
        fuzz(System.nanoTime(), 1000);
    }

    @Test
    @Tag("long")
    void givenVeryManyRandomClients_whenServed_thenNextClientIsServed() {
        long seed = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            fuzz(seed + i, 1000);
        }
    }

    private void fuzz(long seed, int clients) {
        Random random = new Random(seed);
        try (TestServer server = new TestServer();
                Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(1 << 16);
            server.settle();
            int descriptors = OpenDescriptors.count();
            for (int i = 0; i < clients; i++) {
                String where = "seed=" + seed + " client=" + i;
                try (RawVfioUserClient client = server.connect()) {
                    if (random.nextInt(8) != 0) {
                        client.negotiate();
                        if (random.nextBoolean()) {
                            client.done(WRITE, RawVfioUserClient.write(4, CONFIG, BUS_MASTER));
                        }
                    }
                    babble(random, server, client, buffer);
                } catch (RuntimeException | Error e) {
                    throw new AssertionError(where, e);
                }
                server.settle();
                assertEquals(descriptors, OpenDescriptors.count(), where);
            }
            try (RawVfioUserClient client = server.client()) {
                client.done(READ, RawVfioUserClient.access(0, 0, 4));
            }
        }
    }

    private void babble(
            Random random, TestServer server, RawVfioUserClient client, MemorySegment buffer) {
        for (int i = random.nextInt(60); i > 0; i--) {
            byte[] message = message(random);
            MemorySegment.copy(message, 0, buffer, ValueLayout.JAVA_BYTE, 0, message.length);
            int length = random.nextInt(20) == 0 ? random.nextInt(1, 100) : message.length;
            int[] files = new int[random.nextInt(4) == 0 ? random.nextInt(1, 17) : 0];
            Arrays.setAll(files, _ -> random.nextBoolean() ? event.descriptor() : ram.descriptor());
            if (client.socket().send(buffer, 0, Math.min(length, message.length), files)
                    == FdSocket.PEER_GONE) {
                return;
            }
            if (random.nextInt(3) != 0) {
                server.server().doWork();
            }
            if (random.nextInt(16) == 0) {
                server.look();
            }
            while (random.nextInt(8) != 0 && client.receiveSome() > 0) {
                server.server().doWork();
            }
        }
    }

    private static byte[] message(Random random) {
        int words = random.nextInt(4) == 0 ? random.nextInt(64) : random.nextInt(4, 9);
        ByteBuffer body = ByteBuffer.allocate(words * 4).order(ByteOrder.LITTLE_ENDIAN);
        while (body.remaining() >= 4) {
            if (body.remaining() >= 8 && random.nextBoolean()) {
                body.putLong(interesting(random));
            } else {
                body.putInt((int) interesting(random));
            }
        }
        int command = random.nextInt(16) == 0 ? random.nextInt(65536) : random.nextInt(1, 20);
        if (random.nextBoolean()) {
            plausible(random, command, body);
        }
        int flags = random.nextInt(4) == 0 ? RawVfioUserClient.NO_REPLY : 0;
        byte[] message = RawVfioUserClient.message(random.nextInt(), command, flags, body);
        if (random.nextInt(10) == 0) {
            message[random.nextInt(message.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return message;
    }

    /// Sets plausible values in the fields that a handler checks first.
    private static void plausible(Random random, int command, ByteBuffer body) {
        if (body.capacity() < 24) {
            return;
        }
        switch (command) {
            case 2, 3 -> body.putInt(0, 32).putInt(4, command == 2 ? 3 : 0);
            case 8 ->
                    body.putInt(0, 20)
                            .putInt(4, 1 << random.nextInt(3) | 8 << random.nextInt(3))
                            .putInt(8, random.nextInt(5))
                            .putInt(12, 0)
                            .putInt(16, random.nextInt(4));
            case 9, 10 ->
                    body.putLong(0, random.nextInt(5000))
                            .putInt(8, random.nextInt(9))
                            .putInt(12, command == 9 ? random.nextInt(64) : body.capacity() - 16);
            case 15 -> body.putLong(0, (body.capacity() - 8) / 24);
            default -> body.putInt(0, 64);
        }
    }

    private static long interesting(Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> INTERESTING[random.nextInt(INTERESTING.length)];
            case 1 -> random.nextInt(256) * 4096L;
            default -> random.nextLong();
        };
    }
}
