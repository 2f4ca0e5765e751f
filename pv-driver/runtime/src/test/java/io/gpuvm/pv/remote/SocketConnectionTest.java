package io.gpuvm.pv.remote;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.support.OpenDescriptors;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that a guest closes all descriptors of a backend, even if they are unusable.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class SocketConnectionTest {
    private static final long DATA_BYTES = 1 << 20;
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(30);

    private final AreaLayout layout = AreaLayout.of(4, 16, 16, DATA_BYTES);
    private final MemFd area = MemFd.create("area", layout.bytes());
    private final EventFd event = EventFd.create();
    private final FdSocket.Pair pair = FdSocket.pair();

    @TempDir private Path folder;

    @AfterEach
    void close() {
        area.close();
        event.close();
        pair.close();
    }

    /// Descriptors of a backend's answer.
    private enum Answer {
        NO_DESCRIPTORS {
            @Override
            int[] of(SocketConnectionTest test) {
                return new int[0];
            }
        },
        ONE_TOO_MANY {
            @Override
            int[] of(SocketConnectionTest test) {
                int wake = test.event.descriptor();
                return new int[] {test.area.descriptor(), wake, wake, wake};
            }
        },
        MORE_THAN_A_MESSAGE_CARRIES {
            @Override
            int[] of(SocketConnectionTest test) {
                int[] many = new int[FdSocket.MAX_RECEIVED + 1];
                Arrays.fill(many, test.event.descriptor());
                return many;
            }
        },
        AREA_THAT_CANNOT_BE_MAPPED {
            @Override
            int[] of(SocketConnectionTest test) {
                int wake = test.event.descriptor();
                return new int[] {test.pair.left().descriptor(), wake, wake};
            }
        },
        WAKE_THAT_CANNOT_BE_WATCHED {
            @Override
            int[] of(SocketConnectionTest test) {
                int memory = test.area.descriptor();
                return new int[] {memory, test.event.descriptor(), memory};
            }
        },
        AREA_WITHOUT_A_HEADER {
            @Override
            int[] of(SocketConnectionTest test) {
                test.area.punchHole(0, test.layout.bytes());
                int wake = test.event.descriptor();
                return new int[] {test.area.descriptor(), wake, wake};
            }
        };

        abstract int[] of(SocketConnectionTest test);
    }

    @ParameterizedTest
    @EnumSource
    void givenUnusableDescriptors_whenConnected_thenNoDescriptorStaysOpen(Answer answer)
            throws InterruptedException {
        makeArea();
        int[] descriptors = answer.of(this);
        assertKeepsNothing(Welcome.to(layout.bytes()), descriptors);
    }

    @Test
    void givenRefusalWithDescriptors_whenConnected_thenNoDescriptorStaysOpen()
            throws InterruptedException {
        assertKeepsNothing(Welcome.refused("not today"), event.descriptor(), area.descriptor());
    }

    @Test
    void givenConnection_whenClosed_thenNoDescriptorStaysOpen() throws InterruptedException {
        makeArea();
        int before = OpenDescriptors.count();
        Path socket = folder.resolve("guest");
        Thread backend = answering(socket, Welcome.to(layout.bytes()), three());
        SocketConnection.open(socket, 0).close();
        backend.join();
        assertEquals(before, OpenDescriptors.count());
    }

    private int[] three() {
        return new int[] {area.descriptor(), event.descriptor(), event.descriptor()};
    }

    private void assertKeepsNothing(Welcome welcome, int... descriptors)
            throws InterruptedException {
        int before = OpenDescriptors.count();
        Path socket = folder.resolve("guest");
        Thread backend = answering(socket, welcome, descriptors);
        assertThrows(TransportException.class, () -> SocketConnection.open(socket, 0));
        backend.join();
        assertEquals(before, OpenDescriptors.count());
    }

    private void makeArea() {
        try (MappedMemory mapping =
                MappedMemory.map(
                        area.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE)) {
            GpuLimits gpu = new GpuLimits("scripted GPU", 1 << 20, 4, 14, 2);
            SharedArea.create(mapping.segment(), layout, new PvLimits(gpu, 64, 4, 4096, 64, 16));
        }
    }

    /// Listens, and starts a thread that answers one guest and waits until the guest disconnects.
    private static Thread answering(Path path, Welcome welcome, int... descriptors) {
        UnixListener listener = UnixListener.listen(path);
        return Thread.ofPlatform()
                .start(() -> {
                    try (listener;
                            Poller poller = new Poller(1);
                            Arena arena = Arena.ofConfined()) {
                        poller.set(0, listener.descriptor());
                        poller.poll(LOOK_NS);
                        try (FdSocket guest = listener.accept()) {
                            answer(guest, arena.allocate(Welcome.BYTES), welcome, descriptors);
                        }
                    }
                });
    }

    private static void answer(
            FdSocket guest, MemorySegment message, Welcome welcome, int... descriptors) {
        try (Poller poller = new Poller(1)) {
            List<Descriptor> none = new ArrayList<>();
            poller.set(0, guest.descriptor());
            poller.poll(LOOK_NS);
            guest.receive(message, 0, Hello.BYTES, none);
            welcome.write(message);
            guest.send(message, 0, Welcome.BYTES, descriptors);
            poller.poll(LOOK_NS);
        }
    }
}
