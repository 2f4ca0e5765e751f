package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaReply;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.DeviceFacts;
import io.gpuvm.cuda.protocol.LinkRequest;
import io.gpuvm.gf100.asm.Assembler;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.remote.PciConnection;
import io.gpuvm.pv.remote.PvConnection;
import io.gpuvm.pv.remote.SocketConnection;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.Sleeper;
import io.gpuvm.tests.cuda.CudaCompletion;
import io.gpuvm.tests.cuda.CudaTestClient;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Client of a CUDA session over a connection to a backend. Sleeps while it waits. Confined to one
/// thread.
final class CudaProgram implements AutoCloseable {
    static final long FIRST_ADDRESS = 0x41_0000_0000L;
    static final long ADDRESS_BYTES = 1L << 34;
    static final long DATA_ADDRESS = 0x60_0000_0000L;

    /// Offset in the data area of the range for device facts and descriptions of modules.
    static final long REPLY = 2 << 20;

    static final int REPLY_BYTES = 64 << 10;

    /// Range of the data area for requests of links, up to that for responses.
    static final long REQUEST = 4 << 20;

    static final long RESPONSE = 12 << 20;
    static final int RESPONSE_BYTES = 1 << 20;

    /// Index of each kernel of [#module()].
    static final int ADD = 0;

    static final int SPIN = 1;
    static final int POKE = 2;

    private static final String SOURCE =
            """
            .kernel add
                    .param out, 8
                    .param added, 4
                    S2R R0, SR_CTAID.X
                    S2R R1, SR_TID.X
                    IMAD.U32.U32 R0, R0, c[0][8], R1
                    MOV R4, 4
                    IMUL.U32.U32.HI R5, R0, R4
                    IMAD.U32.U32 R2.CC, R0, R4, c[out]
                    IADD.X R3, R5, c[out + 4]
                    LD.E R4, [R2]
                    IADD R4, R4, c[added]
                    ST.E [R2], R4
                    EXIT
            .end
            .kernel spin
                    .param flag, 8
                    MOV R2, c[flag]
                    MOV R3, c[flag + 4]
            look:   LD.E.CV R4, [R2]
                    ISETP.EQ P0, R4, RZ
                    @P0 BRA look
                    EXIT
            .end
            .kernel poke
                    .param where, 8
                    MOV R2, c[where]
                    MOV R3, c[where + 4]
                    ST.E [R2], R0
                    EXIT
            .end
            """;

    private static final byte[] CUBIN = Assembler.assemble("test", SOURCE).toBytes();
    private static final long NAP_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PvConnection connection;
    private final Doorbell doorbell;
    private final Sleeper sleeper;
    final CudaTestClient client;
    private int lastHandle;

    private CudaProgram(PvConnection connection) {
        this.connection = connection;
        doorbell = connection.area().hostDoorbell(connection::wakeHost);
        sleeper = connection.area().guestSleeper();
        client = new CudaTestClient(connection.area(), this::pause);
    }

    static CudaProgram open(Path socket) {
        return new CudaProgram(SocketConnection.open(socket, RingProtocol.CUDA, 0));
    }

    /// Opens a session, and connects it.
    static CudaProgram connect(Path socket) {
        return connect(open(socket));
    }

    /// Opens a session of a function, and connects it.
    static CudaProgram connect(FunctionProgram function) {
        return connect(new CudaProgram(PciConnection.open(function, RingProtocol.CUDA)));
    }

    private static CudaProgram connect(CudaProgram program) {
        program.succeed(
                new CudaCall.Connect(
                        REPLY,
                        DeviceFacts.BYTES,
                        CudaOpcode.WIRE_HASH,
                        FIRST_ADDRESS,
                        ADDRESS_BYTES,
                        DATA_ADDRESS));
        return program;
    }

    /// Returns the module of [#ADD], [#SPIN] and [#POKE].
    static byte[] cubin() {
        return CUBIN.clone();
    }

    MemorySegment data() {
        return client.data();
    }

    /// Sends a call, and wakes the backend.
    long send(CudaCall call) {
        long number = client.send(call);
        doorbell.ring();
        return number;
    }

    CudaCompletion call(CudaCall call) {
        return client.await(send(call));
    }

    CudaCompletion succeed(CudaCall call) {
        CudaCompletion completion = call(call);
        assertEquals(
                CudaStatus.nameOf(CudaStatus.SUCCESS),
                CudaStatus.nameOf(completion.status()),
                call::toString);
        return completion;
    }

    int newHandle() {
        return ++lastHandle;
    }

    private void pause() {
        doorbell.ring();
        sleeper.announce();
        // A completion that precedes the announcement has a wake-up or a short nap.
        connection.sleep(TimeUnit.MILLISECONDS.toNanos(1));
        sleeper.withdraw();
        if (connection.lost() != null) {
            throw new IllegalStateException(connection.lost());
        }
    }

    /// Waits until the backend has ended the session.
    void awaitLoss() {
        doorbell.ring();
        while (connection.lost() == null) {
            connection.sleep(NAP_NS);
        }
    }

    /// Context with a module.
    final class Context {
        final long handle;
        final long stream = newHandle();
        private long module;

        /// @param handle index from 1
        Context(long handle) {
            this.handle = handle;
            succeed(new CudaCall.CtxCreate(handle, 0, 0, stream));
        }

        long allocate(long bytes) {
            return CudaReply.MemAlloc.read(succeed(new CudaCall.MemAlloc(handle, bytes)).entry())
                    .address();
        }

        long module() {
            if (module == 0) {
                module = newHandle();
                MemorySegment.copy(CUBIN, 0, data(), ValueLayout.JAVA_BYTE, 0, CUBIN.length);
                succeed(
                        new CudaCall.ModuleLoadData(
                                handle,
                                module,
                                0,
                                CUBIN.length,
                                REPLY,
                                REPLY_BYTES,
                                ByteBuffer.wrap(sha256())));
            }
            return module;
        }

        /// Begins to compile PTX.
        long link(String source) {
            byte[] request =
                    new LinkRequest(
                                    0,
                                    4,
                                    false,
                                    List.of(
                                            new LinkRequest.Input(
                                                    "PTX",
                                                    source.getBytes(StandardCharsets.US_ASCII))))
                            .toBytes();
            MemorySegment.copy(request, 0, data(), ValueLayout.JAVA_BYTE, REQUEST, request.length);
            return send(
                    new CudaCall.PtxLink(
                            handle, REQUEST, request.length, RESPONSE, RESPONSE_BYTES));
        }

        /// Launches a kernel of the module.
        long launch(long on, int kernel, int blocks, int threads, long address, int value) {
            ByteBuffer parameters =
                    ByteBuffer.allocate(kernel == ADD ? 12 : 8)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .putLong(address);
            if (kernel == ADD) {
                parameters.putInt(value);
            }
            return send(
                    new CudaCall.LaunchKernel(
                            module(),
                            kernel,
                            0,
                            blocks,
                            1,
                            1,
                            threads,
                            1,
                            1,
                            0,
                            on,
                            parameters.flip()));
        }

        /// Adds numbers to consecutive words in VRAM, and verifies the sums.
        void compute(int words, int seed) {
            long bytes = (long) words * Integer.BYTES;
            long memory = allocate(bytes);
            MemorySegment at = data().asSlice(0, bytes);
            for (int i = 0; i < words; i++) {
                at.setAtIndex(ValueLayout.JAVA_INT, i, seed + i);
            }
            long using = send(new CudaCall.MemcpyHtoDAsync(memory, 0, bytes, stream));
            succeed(new CudaCall.StreamSynchronize(stream));
            at.fill((byte) 0);
            if (client.retired() <= using) {
                throw new AssertionError("the copy still uses the data area");
            }
            launch(stream, ADD, words / 32, 32, memory, 7);
            launch(stream, ADD, words / 32, 32, memory, 8);
            succeed(new CudaCall.MemcpyDtoH(0, memory, bytes, stream));
            for (int i = 0; i < words; i++) {
                assertEquals(seed + i + 15, at.getAtIndex(ValueLayout.JAVA_INT, i));
            }
            send(new CudaCall.MemFree(memory));
        }
    }

    private static byte[] sha256() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(CUBIN);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        connection.close();
    }
}
