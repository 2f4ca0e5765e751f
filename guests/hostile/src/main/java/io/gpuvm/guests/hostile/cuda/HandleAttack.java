package io.gpuvm.guests.hostile.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaStatus;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/// Handles that denote no object of the session, or an object of another context.
final class HandleAttack {
    private static final long OTHER_GENERATION = 1L << Integer.SIZE;

    /// Handles without an object: no index, indices beyond all limits, free indices, and another
    /// generation of the only object.
    private static final List<Long> BAD =
            List.of(
                    0L,
                    -1L,
                    Long.MIN_VALUE,
                    (long) Integer.MIN_VALUE,
                    1L << 20,
                    77L,
                    1L | OTHER_GENERATION,
                    1L | -OTHER_GENERATION);

    private HandleAttack() {}

    /// Returns the calls that name an object, by description.
    private static Map<String, LongFunction<CudaCall>> calls(long good) {
        ByteBuffer name = ByteBuffer.wrap("v".getBytes(StandardCharsets.UTF_8));
        return Map.ofEntries(
                Map.entry("cuCtxDestroy", CudaCall.CtxDestroy::new),
                Map.entry("cuCtxSynchronize", CudaCall.CtxSynchronize::new),
                Map.entry("cuCtxSetLimit", bad -> new CudaCall.CtxSetLimit(bad, 0, 1024)),
                Map.entry("cuMemAlloc", bad -> new CudaCall.MemAlloc(bad, 4096)),
                Map.entry("cuMemGetInfo", CudaCall.MemGetInfo::new),
                Map.entry(
                        "cuStreamCreate",
                        bad -> new CudaCall.StreamCreateWithPriority(bad, 9, 0, 0)),
                Map.entry("cuEventCreate", bad -> new CudaCall.EventCreate(bad, 9, 0)),
                Map.entry("cuModuleLoadData", bad -> HostileModule.load(bad, 9, 1, new byte[32])),
                Map.entry("cuStreamDestroy", CudaCall.StreamDestroy::new),
                Map.entry("cuStreamSynchronize", CudaCall.StreamSynchronize::new),
                Map.entry("cuStreamQuery", CudaCall.StreamQuery::new),
                Map.entry("cuLaunchHostFunc", CudaCall.LaunchHostFunc::new),
                Map.entry("cuStreamWaitEvent", bad -> new CudaCall.StreamWaitEvent(good, bad)),
                Map.entry(
                        "cuStreamWaitEvent, stream",
                        bad -> new CudaCall.StreamWaitEvent(bad, good)),
                Map.entry("cuEventDestroy", CudaCall.EventDestroy::new),
                Map.entry("cuEventQuery", CudaCall.EventQuery::new),
                Map.entry("cuEventSynchronize", CudaCall.EventSynchronize::new),
                Map.entry("cuEventRecord", bad -> new CudaCall.EventRecordWithFlags(bad, good, 0)),
                Map.entry("cuEventElapsedTime", bad -> new CudaCall.EventElapsedTime(good, bad)),
                Map.entry("cuModuleUnload", CudaCall.ModuleUnload::new),
                Map.entry("cuModuleGetGlobal", bad -> new CudaCall.ModuleGetGlobal(bad, name)),
                Map.entry("cuModuleGetTexRef", bad -> new CudaCall.ModuleGetTexRef(9, bad, name)),
                Map.entry("cuFuncSetAttribute", bad -> new CudaCall.FuncSetAttribute(bad, 0, 8, 0)),
                Map.entry(
                        "cuFuncSetCacheConfig", bad -> new CudaCall.FuncSetCacheConfig(bad, 0, 0)),
                Map.entry(
                        "cuLaunchKernel, module", bad -> HostileModule.launch(bad, 0, good, 0, 0)),
                Map.entry(
                        "cuLaunchKernel, stream", bad -> HostileModule.launch(good, 0, bad, 0, 0)),
                Map.entry("cuTexRefSetAddress", bad -> new CudaCall.TexRefSetAddress(bad, 0, 0)),
                Map.entry("cuTexRefSetFormat", bad -> new CudaCall.TexRefSetFormat(bad, 1, 1)),
                Map.entry("cuTexRefSetFlags", bad -> new CudaCall.TexRefSetFlags(bad, 0)),
                Map.entry("cuMemFreeAsync", bad -> new CudaCall.MemFreeAsync(0, bad)),
                Map.entry("cuMemsetD8Async", bad -> new CudaCall.MemsetD8Async(0, 0, 1, bad)),
                Map.entry("cuMemcpyHtoDAsync", bad -> new CudaCall.MemcpyHtoDAsync(0, 0, 1, bad)),
                Map.entry("cuMemcpyDtoH", bad -> new CudaCall.MemcpyDtoH(0, 0, 1, bad)));
    }

    static void run(HostileGround ground, Findings findings) {
        try (HostileSession session = ground.connect();
                HostileSession other = ground.connect()) {
            long stream = 1;
            prepare(session, 1, findings);
            // Objects of another session, whose handles do not exist in this one.
            other.call(new CudaCall.CtxCreate(77 % 16, 0, 0, 77));
            other.send(new CudaCall.EventCreate(77 % 16, 77, 0));
            calls(stream)
                    .forEach((name, call) -> {
                        for (long bad : BAD) {
                            findings.expect(
                                    "%s of handle %#x".formatted(name, bad),
                                    session.ask(call.apply(bad)),
                                    CudaStatus.INVALID_HANDLE,
                                    CudaStatus.INVALID_CONTEXT,
                                    CudaStatus.INVALID_VALUE);
                        }
                    });
            createTwice(session, findings);
            mixContexts(session, findings);
            findings.expect(
                    "cuStreamSynchronize afterwards",
                    session.call(new CudaCall.StreamSynchronize(1)),
                    CudaStatus.SUCCESS);
        }
    }

    /// Creates a context with a stream, a module and an event, which have the same index.
    private static void prepare(HostileSession session, long index, Findings findings) {
        findings.expect(
                "cuCtxCreate",
                session.call(new CudaCall.CtxCreate(index, 0, 0, index)),
                CudaStatus.SUCCESS);
        findings.expect(
                "cuModuleLoadData",
                session.call(HostileModule.load(session, index, index, HostileModule.CUBIN)),
                CudaStatus.SUCCESS);
        findings.expect(
                "cuEventCreate",
                session.ask(new CudaCall.EventCreate(index, index, 0)),
                CudaStatus.SUCCESS);
    }

    private static void createTwice(HostileSession session, Findings findings) {
        List<CudaCall> again =
                List.of(
                        new CudaCall.CtxCreate(1, 0, 0, 10),
                        new CudaCall.CtxCreate(10, 0, 0, 1),
                        new CudaCall.StreamCreateWithPriority(1, 1, 0, 0),
                        new CudaCall.EventCreate(1, 1 | OTHER_GENERATION, 0),
                        HostileModule.load(1, 1, HostileModule.CUBIN.length, new byte[32]));
        for (CudaCall call : again) {
            findings.expect(
                    "second object with an index: " + call,
                    session.ask(call),
                    CudaStatus.INVALID_VALUE);
        }
    }

    private static void mixContexts(HostileSession session, Findings findings) {
        prepare(session, 2, findings);
        findings.expect(
                "module of another context",
                session.ask(HostileModule.launch(2, HostileModule.ADD, 1, 0, 0)),
                CudaStatus.INVALID_HANDLE);
        findings.expect(
                "event of another context",
                session.ask(new CudaCall.EventRecordWithFlags(2, 1, 0)),
                CudaStatus.INVALID_HANDLE);
        long address = session.call(new CudaCall.MemAlloc(2, 4096)).first();
        findings.expect(
                "memory of another context",
                session.ask(new CudaCall.MemsetD8Async(address, 1, 1, 1)),
                CudaStatus.INVALID_VALUE);
        findings.expect(
                "cuCtxDestroy", session.ask(new CudaCall.CtxDestroy(2)), CudaStatus.SUCCESS);
        findings.expect(
                "stream of a destroyed context",
                session.call(new CudaCall.StreamSynchronize(2)),
                CudaStatus.INVALID_HANDLE);
        findings.expect(
                "memory of a destroyed context",
                session.ask(new CudaCall.MemFree(address)),
                CudaStatus.INVALID_VALUE);
    }
}
