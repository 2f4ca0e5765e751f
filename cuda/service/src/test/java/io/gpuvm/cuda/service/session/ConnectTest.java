package io.gpuvm.cuda.service.session;

import static io.gpuvm.cuda.service.session.TestFrontEnd.DATA_ADDRESS;
import static io.gpuvm.cuda.service.session.TestFrontEnd.DATA_BYTES;
import static io.gpuvm.cuda.service.session.TestFrontEnd.RANGE;
import static io.gpuvm.cuda.service.session.TestFrontEnd.REPLY;
import static io.gpuvm.cuda.service.session.TestFrontEnd.assertStatus;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaDeviceAttribute;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaReply;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.DeviceFacts;
import io.gpuvm.pv.transport.AddressRange;
import io.gpuvm.tests.cuda.CudaCompletion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the first call of a session.
class ConnectTest {
    private static final long BIG_PAGE = 128 << 10;

    private final TestFrontEnd session = new TestFrontEnd();

    @AfterEach
    void close() {
        session.close();
    }

    @Test
    void givenNewSession_whenConnected_thenFactsAreInRange() {
        CudaCompletion completion = session.succeed(TestFrontEnd.connect());

        assertEquals(DeviceFacts.BYTES, CudaReply.Connect.read(completion.entry()).bytes());
        DeviceFacts facts = DeviceFacts.read(session.client.data().asSlice(REPLY));
        assertEquals("test", facts.name());
        assertEquals(12040, facts.driverVersion());
        assertEquals(TestFrontEnd.VRAM_BYTES, facts.vramBytes());
        assertEquals(16, facts.handles().contexts());
        assertEquals(65536, facts.handles().events());
        assertEquals("0000:00:00.0", facts.pciBusId());
        assertEquals(14, facts.attributes().value(CudaDeviceAttribute.MULTIPROCESSOR_COUNT));
        assertEquals(2, facts.attributes().value(CudaDeviceAttribute.COMPUTE_CAPABILITY_MAJOR));
    }

    @Test
    void givenNewSession_whenOtherCallsAreSent_thenNoneIsExecuted() {
        session.client.send(new CudaCall.MemFree(1));
        CudaCompletion completion = session.client.call(new CudaCall.Nop());

        assertStatus(CudaStatus.NOT_INITIALIZED, completion);
        assertEquals(1L | (long) CudaStatus.NOT_INITIALIZED << 48, completion.failed());
        session.succeed(TestFrontEnd.connect());
        session.succeed(new CudaCall.Nop());
    }

    @Test
    void givenConnectedSession_whenConnectedAgain_thenCallIsRefused() {
        session.succeed(TestFrontEnd.connect());

        assertStatus(CudaStatus.ILLEGAL_STATE, session.client.call(TestFrontEnd.connect()));
    }

    @Test
    void givenOtherListOfCalls_whenConnected_thenListsDiffer() {
        CudaCompletion completion =
                session.client.call(
                        new CudaCall.Connect(
                                REPLY,
                                DeviceFacts.BYTES,
                                CudaOpcode.WIRE_HASH + 1,
                                RANGE.first(),
                                RANGE.bytes(),
                                DATA_ADDRESS));

        assertStatus(CudaStatus.SYSTEM_DRIVER_MISMATCH, completion);
    }

    @Test
    void givenShortRange_whenConnected_thenResultIsNeededLengthAndConnectMayBeRepeated() {
        CudaCompletion completion = session.client.call(facts(REPLY, DeviceFacts.BYTES - 1));

        assertStatus(CudaStatus.INVALID_VALUE, completion);
        assertEquals(DeviceFacts.BYTES, completion.result(0));
        session.succeed(facts(DATA_BYTES - DeviceFacts.BYTES - 1, DeviceFacts.BYTES));
    }

    @Test
    void givenRangesOutsideOfDataArea_whenConnected_thenCallsAreRefused() {
        for (CudaCall call :
                List.of(
                        facts(DATA_BYTES - DeviceFacts.BYTES + 1, DeviceFacts.BYTES),
                        facts(-1, DeviceFacts.BYTES),
                        facts(Long.MAX_VALUE, DeviceFacts.BYTES),
                        facts(Long.MIN_VALUE, Long.MIN_VALUE),
                        facts(0, -1),
                        facts(1, Long.MAX_VALUE))) {
            assertStatus(CudaStatus.INVALID_VALUE, session.client.call(call));
        }
        session.succeed(TestFrontEnd.connect());
    }

    @Test
    void givenInvalidAddresses_whenConnected_thenCallsAreRefused() {
        long first = RANGE.first();
        for (CudaCall call :
                List.of(
                        addresses(first + 1, BIG_PAGE, DATA_ADDRESS),
                        addresses(first, BIG_PAGE + 4096, DATA_ADDRESS),
                        addresses(first, 0, DATA_ADDRESS),
                        addresses(first, BIG_PAGE, DATA_ADDRESS + 4096),
                        addresses((1L << 32) - BIG_PAGE, BIG_PAGE, DATA_ADDRESS),
                        addresses((1L << 40) - BIG_PAGE, 2 * BIG_PAGE, DATA_ADDRESS),
                        addresses(first, -BIG_PAGE, DATA_ADDRESS),
                        addresses(-BIG_PAGE, BIG_PAGE, DATA_ADDRESS),
                        addresses(first, BIG_PAGE, (1L << 32) - BIG_PAGE),
                        addresses(first, BIG_PAGE, (1L << 40) - BIG_PAGE),
                        addresses(first, BIG_PAGE, -BIG_PAGE),
                        addresses(first, BIG_PAGE, first),
                        addresses(first, BIG_PAGE, first - DATA_BYTES + BIG_PAGE),
                        addresses(first, 2 * BIG_PAGE, first + BIG_PAGE))) {
            assertStatus(CudaStatus.INVALID_VALUE, session.client.call(call));
        }
        session.succeed(addresses(first, BIG_PAGE, first + BIG_PAGE));
    }

    @Test
    void givenConnection_whenMemoryIsAllocated_thenAddressIsInRange() {
        TestFrontEnd.Context context = session.new Context();
        long address = context.allocate(1);

        assertTrue(address >= RANGE.first() && address < RANGE.end(), "address=" + address);
    }

    private static CudaCall facts(long target, long capacity) {
        return new CudaCall.Connect(
                target, capacity, CudaOpcode.WIRE_HASH, RANGE.first(), RANGE.bytes(), DATA_ADDRESS);
    }

    private static CudaCall addresses(long first, long bytes, long data) {
        return TestFrontEnd.connect(new AddressRange(first, bytes), data);
    }
}
