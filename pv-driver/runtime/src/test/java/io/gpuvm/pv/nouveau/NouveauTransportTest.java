package io.gpuvm.pv.nouveau;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.classes.ClassId;
import io.gpuvm.linux.Errno;
import io.gpuvm.pv.nouveau.NouveauPort.Parameter;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.transport.GenericWindows;
import io.gpuvm.pv.transport.GpuChannel;
import io.gpuvm.pv.transport.GpuMemory;
import io.gpuvm.pv.transport.HostMemory;
import io.gpuvm.pv.transport.TransportException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NouveauTransportTest {
    private static final long MIB = 1L << 20;

    private final FakeNouveau nouveau = new FakeNouveau();
    private final ManualPauses pauses = new ManualPauses();

    private NouveauTransport open() {
        return NouveauTransport.open(nouveau, pauses);
    }

    @Test
    void givenGf100_whenOpened_thenLimitsDescribeGpu() {
        try (NouveauTransport transport = open()) {
            assertEquals("Quadro 6000", transport.limits().name());
            assertEquals(256 * MIB, transport.limits().vramBytes());
            assertEquals(14, transport.limits().multiprocessors());
            assertEquals(2, transport.limits().copyEngines());
        }
        assertTrue(nouveau.closed);
    }

    @Test
    void givenGpuWithoutCopyEngines_whenOpened_thenChannelsAreUsable() {
        nouveau.missing.addAll(List.of(ClassId.COPY0, ClassId.COPY1));
        try (NouveauTransport transport = open();
                GpuChannel channel = transport.openChannel()) {
            assertEquals(0, transport.limits().copyEngines());
            assertTrue(nouveau.channels.contains(channel.id()));
        }
    }

    @Test
    void givenErrorOtherThanMissingClass_whenOpened_thenErrorIsReported() {
        nouveau.missing.add(ClassId.COPY1);
        nouveau.missingError = Errno.ENOMEM;

        assertNamed("ENOMEM", this::open);
        assertTrue(nouveau.closed);
    }

    @ParameterizedTest
    @ValueSource(longs = {0x50, 0xbf, 0xe0, 0x117})
    void givenOtherChipset_whenOpened_thenErrorNamesChipsetAndRange(long chipset) {
        nouveau.parameters.put(Parameter.CHIPSET_ID, chipset);
        String message = assertThrows(TransportException.class, this::open).getMessage();
        assertTrue(message.contains("chipset=%#x, expected 0xc0 to 0xdf".formatted(chipset)));
        assertTrue(nouveau.closed);
    }

    @Test
    void givenPathWithoutDrmDevice_whenOpened_thenErrorNamesReason() {
        assertNamed("ENOENT", () -> NouveauTransport.open(Path.of("/dev/dri/none")));
        assertNamed("name of the DRM driver", () -> NouveauTransport.open(Path.of("/dev/null")));
    }

    @Test
    void givenNewVram_whenAllocated_thenEveryByteIsZeroedBeforeUse() {
        try (NouveauTransport transport = open()) {
            int before = nouveau.submissions.size();
            GpuMemory memory = transport.allocateVram(3 * MIB);
            assertTrue(nouveau.submissions.size() > before);
            int after = nouveau.submissions.size();
            transport.allocateVram(4096).close();
            int slab = nouveau.submissions.size();
            assertTrue(slab > after);
            // The next small piece lies in the same buffer, which is clean or this process's own.
            transport.allocateVram(4096);
            assertEquals(slab, nouveau.submissions.size());
            memory.close();
        }
    }

    @Test
    void givenFullVram_whenVramIsAllocated_thenErrorNamesRemainingVram() {
        try (NouveauTransport transport = open()) {
            GpuMemory most = transport.allocateVram(200 * MIB);
            assertNamed(
                    "vram bytes=%d, limit=%d left".formatted(100 * MIB, 56 * MIB),
                    () -> transport.allocateVram(100 * MIB));
            transport.allocateVram(50 * MIB);
            most.close();
            transport.allocateVram(100 * MIB);
        }
    }

    @Test
    void givenVramInUseByNouveau_whenBuffersDoNotFit_thenAllocationFailsAndRemainingVramIsUsable() {
        try (NouveauTransport transport = open()) {
            int buffers = nouveau.buffers.size();
            nouveau.submitError = Errno.ENOMEM;
            nouveau.submitErrors = Integer.MAX_VALUE;
            assertNamed("vram bytes=", () -> transport.allocateVram(100 * MIB));
            assertEquals(buffers, nouveau.buffers.size());
            nouveau.submitErrors = 0;
            transport.allocateVram(50 * MIB);
        }
    }

    @Test
    void givenOtherProcessWithVram_whenBufferFitsLater_thenAllocationSucceeds() {
        try (NouveauTransport transport = open()) {
            nouveau.submitError = Errno.ENOMEM;
            nouveau.submitErrors = 10;
            transport.allocateVram(50 * MIB);
            assertEquals(0, nouveau.submitErrors);
        }
    }

    @Test
    void givenRefusedBuffer_whenAllocated_thenRequestIsRetriedForVramOnly() {
        try (NouveauTransport transport = open()) {
            nouveau.buffersLeft = 0;
            pauses.during = () -> nouveau.buffersLeft = 1;
            transport.allocateVram(50 * MIB);
            assertEquals(1, pauses.count());
            nouveau.buffersLeft = 0;
            assertNamed("ENOMEM", () -> transport.allocateHost(64 * MIB));
            assertEquals(1, pauses.count());
        }
    }

    @Test
    void givenAddressInWindow_whenBufferIsAllocated_thenBufferIsReplaced() {
        try (NouveauTransport transport = open()) {
            nouveau.nextGpuVa = GenericWindows.SHARED - 4096;
            int buffers = nouveau.buffers.size();
            GpuMemory memory = transport.allocateVram(16 * MIB);
            assertFalse(GenericWindows.overlap(memory.gpuVa(), memory.bytes()));
            assertEquals(buffers + 1, nouveau.buffers.size());
        }
    }

    @Test
    void givenReleasedHostMemory_whenAllocatedAgain_thenMemoryIsZeroAndOldSegmentIsInvalid() {
        try (NouveauTransport transport = open()) {
            HostMemory first = transport.allocateHost(100);
            MemorySegment old = first.segment();
            long gpuVa = first.gpuVa();
            assertEquals(first.bytes(), old.byteSize());
            old.set(ValueLayout.JAVA_INT, 8, 42);
            first.close();
            first.close();
            assertThrows(IllegalStateException.class, () -> old.get(ValueLayout.JAVA_INT, 8));

            HostMemory second = transport.allocateHost(100);
            assertEquals(gpuVa, second.gpuVa());
            assertEquals(0, second.segment().get(ValueLayout.JAVA_INT, 8));
        }
    }

    @Test
    void givenManyPieces_whenAllocated_thenSubmissionsListFewBuffers() {
        try (NouveauTransport transport = open()) {
            for (int i = 0; i < 2000; i++) {
                transport.allocateHost(4096);
            }
            assertTrue(nouveau.buffers.size() < 16, () -> "" + nouveau.buffers.size());
        }
    }

    @Test
    void givenNoFreeBuffer_whenMemoryIsAllocated_thenErrorNamesReason() {
        try (NouveauTransport transport = open()) {
            nouveau.buffersLeft = 0;
            assertNamed("ENOMEM", () -> transport.allocateHost(64 * MIB));
            assertNamed("ENOMEM", () -> transport.allocateVram(64 * MIB));
            assertNamed("ENOMEM", transport::openChannel);
        }
    }

    @Test
    void givenDeferredSegments_whenThreadWaits_thenSegmentsAreSubmitted()
            throws InterruptedException {
        try (NouveauTransport transport = open();
                GpuChannel channel = transport.openChannel()) {
            HostMemory commands = transport.allocateHost(4096);
            for (int i = 0; i < 3; i++) {
                channel.offer(commands.gpuVa() + 4L * i, 1);
                channel.ringBehindWork();
            }
            assertEquals(0, nouveau.of(channel.id()).size());
            transport.awaitNews(1000);
            assertEquals(1, nouveau.of(channel.id()).size());
        }
    }

    @Test
    void givenClosedTransport_whenUsed_thenCallsFailAndSegmentsAreInvalid() {
        NouveauTransport transport = open();
        HostMemory memory = transport.allocateHost(4096);
        GpuMemory vram = transport.allocateVram(4096);
        GpuChannel channel = transport.openChannel();
        final MemorySegment segment = memory.segment();
        transport.close();
        transport.close();

        assertNamed("closed", () -> transport.allocateHost(1));
        assertNamed("closed", () -> transport.allocateVram(1));
        assertNamed("closed", transport::openChannel);
        assertNamed("closed", () -> transport.awaitNews(1));
        assertEquals(ChannelFailure.Kind.LOST, channel.failure().what());
        assertThrows(IllegalStateException.class, () -> segment.get(ValueLayout.JAVA_BYTE, 0));
        memory.close();
        vram.close();
        channel.close();
        assertTrue(nouveau.closed);
    }

    @Test
    void givenLostDevice_whenUsed_thenReasonIsReported() {
        try (NouveauTransport transport = open()) {
            GpuChannel channel = transport.openChannel();
            HostMemory commands = transport.allocateHost(4096);
            nouveau.lost = true;
            channel.offer(commands.gpuVa(), 1);
            channel.ring();
            assertNotNull(channel.failure());
            assertEquals(ChannelFailure.Kind.LOST, channel.failure().what());
            assertNamed("ENODEV", () -> transport.awaitNews(1));
            assertNamed("ENODEV", () -> transport.allocateVram(1));
        }
    }

    @Test
    void givenLostDevice_whenMemoryIsClosed_thenCloseSucceeds() {
        try (NouveauTransport transport = open()) {
            HostMemory host = transport.allocateHost(64 * MIB);
            GpuMemory vram = transport.allocateVram(200 * MIB);
            nouveau.lost = true;

            host.close();
            vram.close();
        }
    }

    @Test
    void givenDeviceLostDuringSubmission_whenVramIsAllocated_thenErrorNamesReason() {
        try (NouveauTransport transport = open()) {
            nouveau.submitError = Errno.ENODEV;
            nouveau.submitErrors = Integer.MAX_VALUE;
            nouveau.onSubmitError = () -> nouveau.lost = true;

            assertNamed("ENODEV", () -> transport.allocateVram(100 * MIB));
        }
    }

    @Test
    void givenKilledCleaningChannel_whenVramIsAllocated_thenNewChannelZeroesVram() {
        try (NouveauTransport transport = open()) {
            nouveau.killed.addAll(nouveau.channels);
            transport.allocateVram(100 * MIB);

            assertEquals(1, nouveau.channels.size());
            assertTrue(nouveau.killed.stream().noneMatch(nouveau.channels::contains));
        }
    }

    @Test
    void givenKilledCleaningChannels_whenVramIsAllocated_thenErrorNamesChannel() {
        try (NouveauTransport transport = open()) {
            nouveau.killsEveryChannel = true;

            assertNamed(
                    "the channel that zeroes VRAM has failed: nouveau has killed the channel",
                    () -> transport.allocateVram(100 * MIB));
        }
    }

    @Test
    void givenInterruptedThread_whenThreadWaits_thenWaitEnds() {
        try (NouveauTransport transport = open()) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> transport.awaitNews(1000));
            assertFalse(Thread.interrupted());
        }
    }

    @Test
    void givenManyChannels_whenClosed_thenAllChannelsAndBuffersAreReleased() {
        try (NouveauTransport transport = open()) {
            int before = nouveau.channels.size();
            int buffers = nouveau.buffers.size();
            List<GpuChannel> channels = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                channels.add(transport.openChannel());
            }
            channels.forEach(GpuChannel::close);
            assertEquals(before, nouveau.channels.size());
            assertEquals(buffers, nouveau.buffers.size());
        }
    }

    private interface Call {
        void run() throws InterruptedException;
    }

    private static void assertNamed(String part, Call call) {
        String message = assertThrows(TransportException.class, call::run).getMessage();
        assertTrue(message.contains(part), message);
    }
}
