package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/// Ranges outside of the session's memory: of a sibling, of the backend, and ranges whose ends
/// overflow.
final class RangeAttack {
    private static final long PIECE = 1 << 20;
    private static final int PATTERN = 0x5a;

    /// Offset of a canary in the data area, which no call may change.
    private static final long CANARY = 4 << 20;

    private static final long CANARY_WORD = 0x1122_3344_5566_7788L;
    private static final long STREAM = 1;

    private final HostileSession session;
    private final Findings findings;
    private final long memory;

    private RangeAttack(HostileSession session, Findings findings) {
        this.session = session;
        this.findings = findings;
        session.call(new CudaCall.CtxCreate(1, 0, 0, STREAM));
        session.call(HostileModule.load(session, 1, 1, HostileModule.CUBIN));
        memory = session.call(new CudaCall.MemAlloc(1, PIECE)).first();
    }

    static void run(HostileGround ground, Findings findings) {
        try (HostileSession sibling = ground.connect();
                HostileSession session = ground.connect()) {
            long secret = hide(sibling, findings);
            RangeAttack attack = new RangeAttack(session, findings);
            session.data().set(ValueLayout.JAVA_LONG, CANARY, CANARY_WORD);
            for (CudaCall call : attack.outside()) {
                findings.expectRefusal(call.toString(), session.ask(call));
            }
            attack.lookAt(secret);
            findings.check(
                    session.data().get(ValueLayout.JAVA_LONG, CANARY) == CANARY_WORD,
                    "a refused call has changed the data area");
            verify(sibling, secret, findings);
        }
    }

    /// Writes a pattern to memory of another session, at an address that lies behind all memory of
    /// the attacker.
    private static long hide(HostileSession sibling, Findings findings) {
        sibling.call(new CudaCall.CtxCreate(1, 0, 0, STREAM));
        long secret = 0;
        for (int i = 0; i < 16; i++) {
            secret = sibling.call(new CudaCall.MemAlloc(1, PIECE)).first();
        }
        findings.expect(
                "cuMemsetD8Async of the sibling",
                sibling.ask(new CudaCall.MemsetD8Async(secret, PATTERN, PIECE, STREAM)),
                CudaStatus.SUCCESS);
        findings.expect(
                "cuStreamSynchronize of the sibling",
                sibling.call(new CudaCall.StreamSynchronize(STREAM)),
                CudaStatus.SUCCESS);
        return secret;
    }

    private static void verify(HostileSession sibling, long secret, Findings findings) {
        findings.expect(
                "cuMemcpyDtoH of the sibling",
                sibling.call(new CudaCall.MemcpyDtoH(0, secret, PIECE, STREAM)),
                CudaStatus.SUCCESS);
        for (long at = 0; at < PIECE; at++) {
            if (sibling.data().get(ValueLayout.JAVA_BYTE, at) != PATTERN) {
                findings.add("memory of the sibling has changed at offset " + at);
                return;
            }
        }
    }

    /// Returns copies and fills, each of which exceeds the session's memory.
    private List<CudaCall> outside() {
        List<CudaCall> calls = new ArrayList<>();
        long data = session.data().byteSize();
        long[][] device = {
            {memory, PIECE + 1},
            {memory + PIECE, 1},
            {memory - 1, 1},
            {memory + 1, Long.MAX_VALUE},
            {memory, -1},
            {memory, Long.MIN_VALUE},
            {0, 4},
            {-1, 4},
            {-4, 8},
            {1L << 20, 4},
            {HostileSession.DATA_ADDRESS + data, 1},
            {HostileSession.DATA_ADDRESS - 1, 2},
            {HostileSession.DATA_ADDRESS + data - 1, 2},
            {HostileSession.FIRST_ADDRESS + HostileSession.ADDRESS_BYTES - 4, 8},
        };
        for (long[] range : device) {
            calls.add(new CudaCall.MemcpyHtoDAsync(range[0], 0, range[1], STREAM));
            calls.add(new CudaCall.MemcpyDtoH(0, range[0], range[1], STREAM));
            calls.add(new CudaCall.MemcpyDtoDAsync(range[0], memory, range[1], STREAM));
            calls.add(new CudaCall.MemcpyDtoDAsync(memory, range[0], range[1], STREAM));
            calls.add(new CudaCall.MemsetD8Async(range[0], 0, range[1], STREAM));
            calls.add(new CudaCall.MemsetD32Async(range[0], 0, range[1], STREAM));
            calls.add(new CudaCall.MemsetD2D8Async(range[0], 16, 0, 17, range[1], STREAM));
        }
        long[][] host = {
            {data, 1},
            {data - 1, 2},
            {-1, 1},
            {1, Long.MAX_VALUE},
            {Long.MIN_VALUE, 8},
            {0, data + 1}
        };
        for (long[] range : host) {
            calls.add(new CudaCall.MemcpyHtoDAsync(memory, range[0], range[1], STREAM));
            calls.add(new CudaCall.MemcpyDtoH(range[0], memory, range[1], STREAM));
            calls.add(new CudaCall.MemcpyDtoHAsync(range[0], memory, range[1], STREAM));
        }
        calls.addAll(boxes());
        calls.add(new CudaCall.MemFree(memory + 1));
        calls.add(new CudaCall.MemFree(HostileSession.DATA_ADDRESS));
        return calls;
    }

    /// Returns copies of boxes whose lines, slices or products of them lie outside.
    private List<CudaCall> boxes() {
        long huge = 1L << 62;
        long[][] shapes = {
            // pitch, lines of a slice, width, height, depth
            {PIECE, 1, PIECE + 1, 1, 1},
            {1 << 10, 1 << 10, 1 << 10, (1 << 10) + 1, 1},
            {1 << 10, 1 << 5, 1 << 10, 1 << 5, (1 << 5) + 1},
            {huge, huge, 1, 2, 2},
            {2, huge, 1, 1, 3},
            {huge, 4, 1, 1, 4},
            {-1, 1, 1, 2, 1},
            {0, 0, 1, 2, 2},
            {1, 1, 1, huge, huge},
            {16, 1, 17, 2, 1},
        };
        List<CudaCall> calls = new ArrayList<>();
        for (long[] s : shapes) {
            for (int places = 0; places < 4; places++) {
                long source = (places & 1) != 0 ? 0 : memory;
                long target = (places & 2) != 0 ? session.data().byteSize() - PIECE : memory;
                calls.add(
                        new CudaCall.Memcpy3D(
                                STREAM,
                                places,
                                source,
                                target,
                                s[0],
                                s[1],
                                s[0],
                                s[1],
                                s[2],
                                s[3],
                                s[4] + (places == 1 ? PIECE << 4 : 0)));
            }
        }
        return calls;
    }

    /// Tries to read the sibling's memory, by a copy and by a kernel.
    private void lookAt(long secret) {
        session.data().fill((byte) 0);
        findings.expect(
                "copy from the sibling's address",
                session.call(new CudaCall.MemcpyDtoH(0, secret, Long.BYTES, STREAM)),
                CudaStatus.INVALID_VALUE);
        session.ask(
                HostileModule.launch(
                        1, HostileModule.PEEK, STREAM, secret, HostileSession.DATA_ADDRESS));
        findings.expect(
                "kernel that reads the sibling's address",
                session.call(new CudaCall.StreamSynchronize(STREAM)),
                CudaStatus.ILLEGAL_ADDRESS);
        findings.check(
                session.data().get(ValueLayout.JAVA_LONG, 0) == 0,
                "bytes of the sibling were read");
        session.data().set(ValueLayout.JAVA_LONG, CANARY, CANARY_WORD);
    }
}
