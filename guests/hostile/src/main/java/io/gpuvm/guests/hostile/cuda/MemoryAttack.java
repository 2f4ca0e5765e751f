package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import java.util.ArrayList;
import java.util.List;

/// Calls without work for the GPU that try to use up the memory of the backend's process. Most of
/// them work behind a host function that never ends.
final class MemoryAttack {
    private static final long STREAM = 1;
    private static final long OTHER = 2;
    private static final int MOST_STREAMS = 4096;
    private static final int MOST_EVENTS = 65_536;
    private static final int SESSIONS = 8;

    /// Greatest permitted growth of the reachable objects during the attacks: the part of the heap
    /// for CUDA programs, which is three eighths of 512 MiB.
    private static final long HEAP_TOLERANCE = 192 << 20;

    private final HostileGround ground;
    private final Findings findings;
    private final List<HostileSession> sessions = new ArrayList<>();

    private MemoryAttack(HostileGround ground, Findings findings) {
        this.ground = ground;
        this.findings = findings;
    }

    static void run(HostileGround ground, Findings findings) throws InterruptedException {
        MemoryAttack attack = new MemoryAttack(ground, findings);
        ServerUse before = ServerUse.of(ground.server());
        try {
            attack.runAll();
            long grown = ServerUse.of(ground.server()).heapBytes() - before.heapBytes();
            findings.check(
                    grown <= HEAP_TOLERANCE,
                    "heap grows by %d bytes, limit=%d".formatted(grown, HEAP_TOLERANCE));
        } finally {
            attack.sessions.forEach(HostileSession::close);
        }
    }

    private void runAll() {
        int calls = ground.settings().flood();
        HostileSession events = stalled();
        for (int i = 0; i < calls; i++) {
            events.send(new CudaCall.EventCreate(1, 1, 0));
            events.send(new CudaCall.EventDestroy(1));
        }
        expectAnswer("events created and destroyed", events);
        HostileSession uses = stalled();
        for (int i = 0; i < calls; i++) {
            uses.send(new CudaCall.MemsetD8Async(HostileSession.DATA_ADDRESS, 1, 16, OTHER));
        }
        expectAnswer("uses of the data area", uses);
        HostileSession waits = stalled();
        for (int i = 0; i < calls; i++) {
            waits.send(new CudaCall.EventRecordWithFlags(1, STREAM, 0));
            waits.send(new CudaCall.StreamWaitEvent(OTHER, 1));
        }
        expectAnswer("recordings and waits", waits);
        allocate(stalled(), calls);
        synchronizeMany();
        fillTables();
    }

    /// Opens a session with an operation behind a host function.
    private HostileSession stalled() {
        HostileSession session = ground.connect();
        sessions.add(session);
        session.call(new CudaCall.CtxCreate(1, 0, 0, STREAM));
        // Independent of the default stream.
        session.send(new CudaCall.StreamCreateWithPriority(1, OTHER, 1, 0));
        session.send(new CudaCall.EventCreate(1, 1, 0));
        findings.expect(
                "cuLaunchHostFunc",
                session.call(new CudaCall.LaunchHostFunc(STREAM)),
                CudaStatus.SUCCESS);
        session.send(new CudaCall.MemsetD8Async(HostileSession.DATA_ADDRESS, 1, 16, STREAM));
        return session;
    }

    private void expectAnswer(String what, HostileSession session) {
        findings.expect("Nop behind " + what, session.call(new CudaCall.Nop()), CudaStatus.SUCCESS);
    }

    /// Allocates and frees memory, which stays in use until the host function ends.
    private void allocate(HostileSession session, int calls) {
        int granted = 0;
        while (granted < calls) {
            long call = session.send(new CudaCall.MemAlloc(1, 1));
            long probe = session.send(new CudaCall.Nop());
            session.await(probe);
            if (!session.hasArrived(call)) {
                break;
            }
            HostileSession.Answer answer = session.await(call);
            if (answer.status() != CudaStatus.SUCCESS) {
                break;
            }
            session.send(new CudaCall.MemFree(answer.first()));
            granted++;
        }
        expectAnswer(granted + " allocations", session);
    }

    /// Synchronizes a context with many stalled streams repeatedly.
    private void synchronizeMany() {
        HostileSession session = stalled();
        for (long stream = 3; stream <= MOST_STREAMS; stream++) {
            session.send(new CudaCall.StreamCreateWithPriority(1, stream, 1, 0));
            session.send(new CudaCall.EventRecordWithFlags(1, STREAM, 0));
            session.send(new CudaCall.StreamWaitEvent(stream, 1));
        }
        for (int i = 0; i < 500; i++) {
            session.send(new CudaCall.CtxSynchronize(1));
        }
        expectAnswer("synchronizations", session);
    }

    /// Creates as many objects in several sessions as they may have.
    private void fillTables() {
        for (int n = 0; n < SESSIONS; n++) {
            HostileSession session = ground.connect();
            sessions.add(session);
            session.call(new CudaCall.CtxCreate(1, 0, 0, STREAM));
            int events = Math.min(MOST_EVENTS, ground.settings().flood());
            for (long event = 1; event <= events; event++) {
                session.send(new CudaCall.EventCreate(1, event, 0));
                session.send(new CudaCall.EventRecordWithFlags(event, STREAM, 0));
            }
            expectAnswer("events", session);
        }
    }
}
