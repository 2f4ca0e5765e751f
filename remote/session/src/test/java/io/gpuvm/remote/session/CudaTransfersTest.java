package io.gpuvm.remote.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.pv.protocol.RingEntry;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/// Tests of the parts of the data area that calls use, with entries that the generated encoder
/// writes.
class CudaTransfersTest {
    private static final long DATA_BYTES = 1 << 20;
    private static final long DATA_ADDRESS = 0x80_0000_0000L;
    private static final long ELSEWHERE = 0x41_0000_0000L;
    private static final long STREAM = 1;

    private final MemorySegment entry = Arena.ofAuto().allocate(RingEntry.BYTES, Long.BYTES);
    private final MemorySegment arguments =
            Arena.ofAuto().allocate(CudaOpcode.MAX_ARGUMENT_BYTES, Long.BYTES);
    private final CudaTransfers transfers = new CudaTransfers();

    CudaTransfersTest() {
        transfers.mapArea(DATA_ADDRESS, DATA_BYTES);
    }

    private void read(CudaCall call) {
        long bytes = call.write(entry, arguments, 0);
        entry.set(WireType.U32, CudaEntry.TAG, call.tag());
        transfers.read(entry, arguments, bytes);
    }

    private static AreaBox row(long offset, long bytes) {
        AreaBox box = new AreaBox();
        box.set(offset, bytes);
        return box;
    }

    private void requireNoParts() {
        assertTrue(transfers.input().isEmpty(), "input: " + transfers.input());
        assertTrue(transfers.output().isEmpty(), "output: " + transfers.output());
    }

    @Test
    void givenCopyToDevice_whenRead_thenSourceIsInput() {
        read(new CudaCall.MemcpyHtoDAsync(ELSEWHERE, 4096, 100, STREAM));

        assertEquals(row(4096, 100), transfers.input());
        assertTrue(transfers.output().isEmpty());
        assertTrue(transfers.isLate());
    }

    @Test
    void givenCopiesToHost_whenRead_thenTargetIsOutput() {
        read(new CudaCall.MemcpyDtoH(4096, ELSEWHERE, 100, STREAM));
        assertEquals(row(4096, 100), transfers.output());
        assertFalse(transfers.isLate(), "its completion says that it is done");

        read(new CudaCall.MemcpyDtoHAsync(8192, ELSEWHERE, 200, STREAM));
        assertEquals(row(8192, 200), transfers.output());
        assertTrue(transfers.input().isEmpty());
        assertTrue(transfers.isLate());
    }

    @Test
    void givenAddressesOfDataArea_whenCopiedOrFilled_thenTheyAreParts() {
        read(new CudaCall.MemcpyDtoDAsync(DATA_ADDRESS + 64, DATA_ADDRESS + 128, 32, STREAM));
        assertEquals(row(64, 32), transfers.output());
        assertEquals(row(128, 32), transfers.input());

        read(new CudaCall.MemsetD32Async(DATA_ADDRESS + 64, 7, 16, STREAM));
        assertEquals(row(64, 64), transfers.output());

        read(new CudaCall.MemcpyDtoDAsync(ELSEWHERE, ELSEWHERE + 4096, 32, STREAM));
        requireNoParts();
        read(new CudaCall.MemsetD8Async(DATA_ADDRESS + DATA_BYTES - 8, 0, 9, STREAM));
        requireNoParts();
    }

    @Test
    void givenConnect_whenRead_thenFactsAreOutputAndLaterAddressesAreThoseOfTheArea() {
        read(new CudaCall.Connect(4096, 512, CudaOpcode.WIRE_HASH, ELSEWHERE, 1 << 20, 1L << 33));
        assertEquals(row(4096, 512), transfers.output());
        assertTrue(transfers.isLimitedByResult());

        read(new CudaCall.MemcpyDtoDAsync(ELSEWHERE, (1L << 33) + 8, 32, STREAM));

        assertEquals(row(8, 32), transfers.input());
        assertFalse(transfers.isLimitedByResult());
    }

    @Test
    void givenModule_whenLoaded_thenImageIsInputAndDescriptionIsOutput() {
        read(
                new CudaCall.ModuleLoadData(
                        1, 2, 4096, 1000, 8192, 2000, ByteBuffer.wrap(new byte[32])));

        assertEquals(row(4096, 1000), transfers.input());
        assertEquals(row(8192, 2000), transfers.output());
        assertTrue(transfers.isLimitedByResult());
    }

    @Test
    void givenLinkAndReports_whenRead_thenRequestAndResponseAreParts() {
        read(new CudaCall.PtxLink(1, 4096, 1000, 8192, 2000));
        assertEquals(row(4096, 1000), transfers.input());
        assertEquals(row(8192, 2000), transfers.output());

        read(new CudaCall.TakeReports(4096, 2048));
        assertEquals(row(4096, 2048), transfers.output());
        assertTrue(transfers.isLimitedByResult());
    }

    @Test
    void givenBox_whenCopied_thenSideInAreaIsPart() {
        int fromArea = 1;
        int toArea = 2;
        AreaBox source = new AreaBox();
        source.set(4096, 10, 3, 2, 16, 64);
        AreaBox target = new AreaBox();
        target.set(8192, 10, 3, 2, 32, 160);

        read(new CudaCall.Memcpy3DAsync(STREAM, fromArea, 4096, ELSEWHERE, 16, 4, 32, 5, 10, 3, 2));
        assertEquals(source, transfers.input());
        assertTrue(transfers.output().isEmpty());
        assertTrue(transfers.isLate());

        read(new CudaCall.Memcpy3D(STREAM, toArea, ELSEWHERE, 8192, 16, 4, 32, 5, 10, 3, 2));
        assertEquals(target, transfers.output());
        assertTrue(transfers.input().isEmpty());
        assertFalse(transfers.isLate());
    }

    @Test
    void givenSpilledCallWithoutArguments_whenRead_thenBoxIsEmpty() {
        CudaCall call = new CudaCall.Memcpy3D(STREAM, 3, 4096, 8192, 16, 4, 32, 5, 10, 3, 2);
        call.write(entry, arguments, 0);
        entry.set(WireType.U32, CudaEntry.TAG, call.tag());

        transfers.read(entry, arguments, 0);

        requireNoParts();
    }

    @Test
    void givenOtherCalls_whenRead_thenThereAreNoParts() {
        read(new CudaCall.MemAlloc(1, DATA_ADDRESS));
        requireNoParts();
        read(new CudaCall.StreamSynchronize(STREAM));
        requireNoParts();
    }
}
