package io.gpuvm.trap.vfiouser;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ParkTest {
    private final TestServer server = new TestServer();

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void givenWakeBeforePark_whenServerParks_thenParkReturnsImmediately() {
        for (int i = 0; i < 3; i++) {
            server.server()
                    .parking()
                    .park(() -> {
                        server.server().wake();
                        server.server().wake();
                        return true;
                    });
        }
    }

    @Test
    void givenNoEvent_whenParkedWithTimeout_thenParkReturns() {
        server.look();
        server.look();
    }

    @Test
    void givenParkedServer_whenClientConnects_thenParkReturns() throws InterruptedException {
        Thread parked = parkInAnotherThread();
        try (RawVfioUserClient _ = server.connect()) {
            parked.join();
        }
    }

    @Test
    void givenParkedServer_whenMessageArrives_thenParkReturns() throws InterruptedException {
        try (RawVfioUserClient client = server.client()) {
            server.settle();
            Thread parked = parkInAnotherThread();
            try (Arena arena = Arena.ofConfined()) {
                client.socket().send(arena.allocate(1), 0, 1);
            }
            parked.join();
        }
    }

    @Test
    void givenParkedServer_whenClientDisconnects_thenParkReturns() throws InterruptedException {
        RawVfioUserClient client = server.client();
        server.settle();
        Thread parked = parkInAnotherThread();
        client.close();
        parked.join();
    }

    @Test
    void givenParkingAndWakingThread_whenThreadsRunConcurrently_thenNoWakeUpIsLost()
            throws InterruptedException {
        int rounds = 5_000;
        AtomicInteger given = new AtomicInteger();
        AtomicInteger taken = new AtomicInteger();
        Thread parker =
                Thread.ofPlatform()
                        .start(() -> {
                            while (taken.get() < rounds) {
                                if (taken.get() < given.get()) {
                                    taken.incrementAndGet();
                                } else {
                                    server.server()
                                            .parking()
                                            .park(() -> taken.get() == given.get());
                                }
                            }
                        });
        for (int i = 0; i < rounds; i++) {
            given.incrementAndGet();
            server.server().wake();
            while (i % 2 == 0 && taken.get() <= i) {
                Thread.onSpinWait();
            }
        }
        parker.join();
        assertEquals(rounds, taken.get());
    }

    private Thread parkInAnotherThread() {
        return Thread.ofPlatform().start(() -> server.server().parking().park(server.server()));
    }
}
