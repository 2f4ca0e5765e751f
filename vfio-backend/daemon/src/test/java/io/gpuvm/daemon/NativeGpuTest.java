package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.gf100.device.GpuDeviceException;
import io.gpuvm.pv.runtime.Arguments;
import io.gpuvm.pv.runtime.DeviceMemory;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.runtime.GpuException;
import io.gpuvm.pv.runtime.LaunchShape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class NativeGpuTest {
    private static final GpuSpec SMALL = GpuSpec.parse("soft,vram=64M");

    @Test
    void givenGpu_whenUsedAndClosed_thenNoThreadRemains() {
        Set<Thread> before = threads();
        for (int i = 0; i < 3; i++) {
            try (NativeGpu gpu = NativeGpu.open(SMALL)) {
                byte[] bytes = {1, 2, 3};
                byte[] back = new byte[bytes.length];
                GpuContext context = gpu.context();
                DeviceMemory memory = context.allocate(bytes.length);
                context.defaultStream().copyToDevice(memory, 0, MemorySegment.ofArray(bytes));
                context.defaultStream().copyToHost(MemorySegment.ofArray(back), memory, 0);
                assertEquals(3, back[2]);
            }
        }

        assertEquals(before, threads());
    }

    @Test
    void givenEndlessKernel_whenAborted_thenWaitingCallFailsAndGpuCloses() throws Exception {
        for (int i = 0; i < 10; i++) {
            try (NativeGpu gpu = NativeGpu.open(SMALL)) {
                CountDownLatch launched = new CountDownLatch(1);
                CompletableFuture<Void> waiting =
                        CompletableFuture.runAsync(() -> runForever(gpu.context(), launched));
                launched.await();

                gpu.abort();

                Throwable failure = waiting.handle((_, thrown) -> thrown).get();
                assertTrue(failure.getCause() instanceof GpuException, failure::toString);
                assertThrows(GpuException.class, () -> gpu.context().allocate(1));
            }
        }
    }

    @Test
    void givenWaitingThreadThatClosesGpu_whenAborted_thenGpuIsReleased() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(NativeGpu.class);
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        try {
            for (int i = 0; i < 10; i++) {
                NativeGpu gpu = NativeGpu.open(SMALL);
                CountDownLatch launched = new CountDownLatch(1);
                CompletableFuture<Void> closed =
                        CompletableFuture.runAsync(() -> runForever(gpu.context(), launched))
                                .handle((_, _) -> {
                                    gpu.close();
                                    return null;
                                });
                launched.await();
                gpu.abort();
                closed.get();
            }
        } finally {
            logger.detachAppender(log);
        }

        assertEquals(List.of(), log.list);
    }

    @Test
    void givenAddressWithoutCard_whenOpened_thenErrorNamesAddress() {
        GpuSpec nowhere = GpuSpec.parse("vfio:fffe:ff:1f.7");

        String message =
                assertThrows(GpuDeviceException.class, () -> NativeGpu.open(nowhere)).getMessage();
        assertTrue(message.startsWith("fffe:ff:1f.7: no such PCI device"), message);
    }

    private static void runForever(GpuContext context, CountDownLatch launched) {
        var module =
                context.load(
                        Assembler.assemble("endless", ".kernel endless\nagain: BRA again\nEXIT\n"));
        context.defaultStream()
                .launch(module.kernel("endless"), LaunchShape.of(100, 32), new Arguments());
        launched.countDown();
        context.defaultStream().synchronize();
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("gpuvm"))
                .collect(Collectors.toSet());
    }
}
