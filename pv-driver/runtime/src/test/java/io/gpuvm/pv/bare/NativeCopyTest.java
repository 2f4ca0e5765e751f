package io.gpuvm.pv.bare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.tests.gpu.RunningGpu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NativeCopyTest {
    private static final int LINE = 64 << 10;

    @Test
    void givenHostMemory_whenCopiedToVramAndBack_thenBytesAreUnchanged() throws Exception {
        long seed = System.nanoTime();
        byte[] bytes = new byte[3 << 20];
        new Random(seed).nextBytes(bytes);
        try (RunningGpu gpu = new RunningGpu();
                NativeTransport transport = NativeTransport.open(gpu.device());
                PushBuffer push = new PushBuffer(transport)) {
            HostMemory source = transport.allocateHost(bytes.length);
            HostMemory target = transport.allocateHost(bytes.length);
            GpuMemory vram = transport.allocateVram(bytes.length);
            MemorySegment.copy(bytes, 0, source.segment(), ValueLayout.JAVA_BYTE, 0, bytes.length);

            for (int at = 0; at < bytes.length; at += LINE) {
                push.copy(vram.gpuVa() + at, source.gpuVa() + at, LINE);
            }
            for (int at = 0; at < bytes.length; at += LINE) {
                push.copy(target.gpuVa() + at, vram.gpuVa() + at, LINE);
            }
            push.run();

            assertEquals(-1, source.segment().mismatch(target.segment()), () -> "seed=" + seed);
        }
    }
}
