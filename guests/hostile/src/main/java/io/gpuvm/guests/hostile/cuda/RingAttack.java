package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaEntry;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.cuda.protocol.DeviceFacts;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.WireType;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;

/// Violations of the protocol of rings, numbers, arguments and of Connect.
final class RingAttack {
    private static final long BIG_PAGE = 128 << 10;
    private static final long FIRST = 1L << 32;
    private static final long END = 1L << 40;

    /// Number of words that are written to the area at random.
    private static final int SCRIBBLES = 20_000;

    private RingAttack() {}

    /// Numbers of calls that do not follow one another end the session.
    static void numbers(HostileGround ground, Findings findings) {
        long violations = violations(ground);
        long[] wrong = {0, 2, 4, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};
        for (long number : wrong) {
            try (HostileSession session = ground.connect()) {
                session.call(new CudaCall.Nop());
                // The next number is 3.
                session.send(new CudaCall.Nop().tag(), number);
                session.awaitLoss();
            } catch (IllegalStateException e) {
                findings.add("number %d: %s".formatted(number, e.getMessage()));
            }
        }
        long counted = violations(ground) - violations;
        findings.check(
                counted == wrong.length,
                "violations=%d, expected=%d".formatted(counted, wrong.length));
    }

    private static long violations(HostileGround ground) {
        return ground.server().counters(CudaServer.HOSTILE).path("pv").path("violations").asLong();
    }

    /// Positions of the client's rings that no client can have reached, and random words in the
    /// area.
    static void heads(HostileGround ground, Findings findings) {
        long[] heads = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 2, 1000, 1L << 32};
        for (long head : heads) {
            try (HostileSession session = ground.connect()) {
                session.area().set(WireType.U64, AreaLayout.COMPLETION_HEAD, head);
                for (int i = 0; i < 10_000; i++) {
                    if (!trySend(session)) {
                        break;
                    }
                }
            }
        }
        Random random = ground.random("heads");
        for (int i = 0; i < 3; i++) {
            try (HostileSession session = ground.connect()) {
                scribble(session, random);
            } catch (LostSessionException _) {
                // Words in the submission ring are calls with wrong numbers.
            }
        }
        try (HostileSession session = ground.connect()) {
            findings.expect("Nop afterwards", session.call(new CudaCall.Nop()), CudaStatus.SUCCESS);
        }
    }

    /// Sends a call if the ring has room.
    ///
    /// @return false if the backend takes no more calls, because completions have no room
    private static boolean trySend(HostileSession session) {
        if (!session.hasRoom()) {
            return false;
        }
        session.send(new CudaCall.Nop());
        return true;
    }

    private static void scribble(HostileSession session, Random random) {
        long words = session.layout().data() / Long.BYTES;
        for (int i = 0; i < SCRIBBLES; i++) {
            long at = random.nextLong(words) * Long.BYTES;
            session.area().set(WireType.U64, at, random.nextLong());
            if (i % 100 == 0) {
                session.wake();
            }
        }
    }

    /// Arguments outside of the data area, and arguments that change while the backend reads them.
    static void arguments(HostileGround ground, Findings findings) {
        try (HostileSession session = ground.connect()) {
            session.call(new CudaCall.CtxCreate(1, 0, 0, 1));
            long data = session.data().byteSize();
            int tag = new CudaCall.ModuleGetGlobal(1, null).tag();
            long[][] ranges = {
                {data, 8},
                {data - 8, 16},
                {-8, 16},
                {8, Long.MAX_VALUE - 7},
                {8, -8},
                {Long.MIN_VALUE, 8},
                {4, 16},
                {8, 12},
                {0, CudaOpcode.MAX_ARGUMENT_BYTES + 8},
                {0, 0},
                {0, 8},
            };
            session.data().fill((byte) -1);
            for (long[] range : ranges) {
                session.send(tag, session.last() + 1, range[0], range[1], 1, 1, 1, 1);
                findings.expect(
                        "arguments at %#x, bytes=%#x".formatted(range[0], range[1]),
                        session.await(session.last()),
                        CudaStatus.INVALID_VALUE);
            }
            change(session, findings);
        }
    }

    private static void change(HostileSession session, Findings findings) {
        long at = session.data().byteSize() - HostileSession.ARGUMENT_BYTES;
        AtomicBoolean ended = new AtomicBoolean();
        Thread scribbler =
                Thread.ofPlatform()
                        .start(() -> {
                            Random random = new Random(1);
                            while (!ended.get()) {
                                long word = random.nextInt(64) * (long) Long.BYTES;
                                session.data().set(WireType.U64, at + word, random.nextLong(100));
                            }
                        });
        try {
            int tag = new CudaCall.ModuleGetGlobal(1, null).tag();
            for (int i = 0; i < 2000; i++) {
                session.send(tag, session.last() + 1, at, 8L * (i % 40), 1);
                findings.expectRefusal("changing arguments", session.await(session.last()));
            }
        } finally {
            ended.set(true);
            join(scribbler);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Calls before Connect, a second Connect, and addresses that no client may have.
    static void connect(HostileGround ground, Findings findings) {
        try (HostileSession session = HostileSession.open(ground.socket(), 1 << 20)) {
            for (CudaCall call : List.of(new CudaCall.Nop(), new CudaCall.CtxCreate(1, 0, 0, 1))) {
                findings.expect(
                        call + " before Connect", session.call(call), CudaStatus.NOT_INITIALIZED);
            }
            long data = HostileSession.DATA_ADDRESS;
            long bytes = 1 << 30;
            long[][] addresses = {
                // start, bytes, address of the data area
                {0, bytes, data},
                {FIRST - BIG_PAGE, bytes, data},
                {FIRST + 1, bytes, data},
                {FIRST, bytes + 4096, data},
                {FIRST, 0, data},
                {FIRST, -BIG_PAGE, data},
                {FIRST, END, data},
                {FIRST, Long.MIN_VALUE, data},
                {END, BIG_PAGE, data},
                {-BIG_PAGE, BIG_PAGE, data},
                {data, bytes, data},
                {data - bytes + BIG_PAGE, bytes, data},
                {FIRST, bytes, 0},
                {FIRST, bytes, END},
                {FIRST, bytes, END - BIG_PAGE},
                {FIRST, bytes, data + 4096},
                {FIRST, bytes, -BIG_PAGE},
            };
            for (long[] address : addresses) {
                findings.expect(
                        "Connect with addresses %#x, bytes=%#x, data area at %#x"
                                .formatted(address[0], address[1], address[2]),
                        session.call(connect(0, DeviceFacts.BYTES, address)),
                        CudaStatus.INVALID_VALUE);
            }
            long[] good = {HostileSession.FIRST_ADDRESS, bytes, data};
            long[][] targets = {
                {1 << 20, DeviceFacts.BYTES}, {-1, DeviceFacts.BYTES}, {0, 8}, {0, -1}, {0, END}
            };
            for (long[] target : targets) {
                findings.expect(
                        "Connect with facts at %#x, bytes=%#x".formatted(target[0], target[1]),
                        session.call(connect(target[0], target[1], good)),
                        CudaStatus.INVALID_VALUE);
            }
            findings.expect(
                    "Connect with another list of calls",
                    session.call(new CudaCall.Connect(0, 4096, 1, good[0], good[1], good[2])),
                    CudaStatus.SYSTEM_DRIVER_MISMATCH);
            findings.expect(
                    "Connect",
                    session.call(connect(0, DeviceFacts.BYTES, good)),
                    CudaStatus.SUCCESS);
            findings.expect(
                    "second Connect",
                    session.call(connect(0, DeviceFacts.BYTES, good)),
                    CudaStatus.ILLEGAL_STATE);
            findings.expect(
                    "cuCtxCreate",
                    session.call(new CudaCall.CtxCreate(1, 0, 0, 1)),
                    CudaStatus.SUCCESS);
        }
    }

    private static CudaCall connect(long target, long capacity, long... addresses) {
        return new CudaCall.Connect(
                target, capacity, CudaOpcode.WIRE_HASH, addresses[0], addresses[1], addresses[2]);
    }

    /// Flags and opcodes of no call.
    static void tags(HostileGround ground, Findings findings) {
        try (HostileSession session = ground.connect()) {
            for (int opcode = 0; opcode < 1 << Short.SIZE; opcode++) {
                if (CudaOpcode.nameOf(opcode) == null) {
                    session.send(CudaEntry.tag(opcode, 0), session.last() + 1);
                    if (opcode % 256 == 0) {
                        findings.expect(
                                "opcode %#x".formatted(opcode),
                                session.await(session.last()),
                                CudaStatus.NOT_SUPPORTED);
                        session.forget();
                    }
                }
            }
            for (int flags = 1; flags < 1 << Short.SIZE; flags <<= 1) {
                if (flags != CudaOpcode.NO_REPLY) {
                    session.send(
                            CudaEntry.tag(new CudaCall.Nop().tag(), flags), session.last() + 1);
                    findings.expect(
                            "flags %#x".formatted(flags),
                            session.await(session.last()),
                            CudaStatus.INVALID_VALUE);
                }
            }
            session.send(
                    CudaEntry.tag(new CudaCall.MemAlloc(1, 1).tag(), CudaOpcode.NO_REPLY),
                    session.last() + 1);
            HostileSession.Answer next = session.call(new CudaCall.Nop());
            findings.check(
                    next.failedStatus() == CudaStatus.INVALID_VALUE,
                    "cuMemAlloc without reply: failed status=" + next.failedStatus());
        }
    }
}
