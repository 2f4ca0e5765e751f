package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.pv.protocol.WireType;

/// Kernels that write to the memory of the backend's own channels, which lies in the address space
/// of the context: rings, commands and fences.
final class FenceAttack {
    /// First address of this memory.
    private static final long FIRST = 1 << 20;

    /// Distance between the addresses of its pieces.
    private static final long STEP = 128 << 10;

    private static final int PIECES = 12;

    /// Offset in the data area of the words that end the kernels, one for each kernel: the next
    /// attack may begin before a kernel has read its word.
    private static final long FLAGS = 1 << 16;

    private static final int CALLS = 300;
    private static final long STREAM = 1;
    private static final long OTHER = 2;

    private FenceAttack() {}

    static void run(HostileGround ground, Findings findings) {
        try (HostileSession session = ground.connect();
                HostileSession sibling = ground.connect()) {
            sibling.call(new CudaCall.CtxCreate(1, 0, 0, 1));
            long flag = FLAGS;
            for (int piece = 0; piece < PIECES; piece++) {
                for (long offset : new long[] {0, 8, 4096}) {
                    attack(session, FIRST + piece * STEP + offset, flag);
                    flag += Integer.BYTES;
                }
                findings.expect(
                        "Nop of the session", session.call(new CudaCall.Nop()), CudaStatus.SUCCESS);
                findings.expect(
                        "stream of a sibling",
                        sibling.call(new CudaCall.StreamSynchronize(1)),
                        CudaStatus.SUCCESS);
            }
        }
    }

    /// Uses a context while a kernel writes increasing numbers to an address. Calls may fail: the
    /// context's work may appear complete or incomplete, and its channels may execute anything.
    private static void attack(HostileSession session, long address, long flag) {
        session.data().set(WireType.U32, flag, 0);
        session.call(new CudaCall.CtxCreate(1, 0, 0, STREAM));
        session.send(new CudaCall.StreamCreateWithPriority(1, OTHER, 1, 0));
        session.call(HostileModule.load(session, 1, 1, HostileModule.CUBIN));
        long memory = session.call(new CudaCall.MemAlloc(1, 1 << 20)).first();
        session.send(
                HostileModule.launch(
                        1, HostileModule.FLIP, OTHER, address, HostileSession.DATA_ADDRESS + flag));
        for (int i = 0; i < CALLS; i++) {
            switch (i % 6) {
                case 0 -> session.send(new CudaCall.MemcpyHtoDAsync(memory, 0, 64, STREAM));
                case 1 -> session.send(new CudaCall.MemsetD8Async(memory, 1, 1 << 16, STREAM));
                case 2 ->
                        session.send(HostileModule.launch(1, HostileModule.ADD, STREAM, memory, 1));
                case 3 -> session.send(new CudaCall.MemcpyDtoHAsync(64, memory, 64, STREAM));
                case 4 -> session.send(new CudaCall.EventCreate(1, i + 1, 0));
                default -> session.send(new CudaCall.EventRecordWithFlags(i, STREAM, 0));
            }
        }
        session.call(new CudaCall.Nop());
        session.data().set(WireType.U32, flag, 1);
        session.send(new CudaCall.MemFree(memory));
        session.send(new CudaCall.CtxDestroy(1));
    }
}
