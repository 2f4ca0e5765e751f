package io.gpuvm.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaReply;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.pv.protocol.RingProtocol;
import io.gpuvm.pv.remote.PciConnection;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.remote.SocketConnection;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.tests.cuda.CudaCompletion;
import io.gpuvm.workloads.Workloads;
import io.gpuvm.workloads.measure.Task;
import io.gpuvm.workloads.measure.Timings;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/// Tests of CUDA programs that connect to a backend.
@Timeout(120)
class CudaSessionsTest {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long MIB = 1 << 20;
    private static final long VRAM = 64 * MIB;

    /// Memory of a context and its launches, at most.
    private static final long OVERHEAD = 8 * MIB;

    @TempDir private Path folder;
    private final AtomicBoolean failed = new AtomicBoolean();
    private Backend backend;

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
        assertFalse(failed.get());
    }

    @Test
    void givenProgram_whenKernelsRun_thenResultsAreCopiedBack() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            program.new Context(1).compute(4096, 3);
        }
        BackendSummary.Vm vm = backend.summary().vms().getFirst();
        assertEquals("cuda", vm.mode());
        assertEquals(1, vm.connections());
        assertTrue(vm.pv().get("commands") > 5);
        assertTrue(vm.pv().get("submissions") > 2);
        assertTrue(vm.pv().get("pageTableWork") > 100);
        assertTrue(vm.commands().gpuTimeNs() > 0);
    }

    @Test
    void givenOneThreadForAllParts_whenKernelsRun_thenResultsAreCopiedBack() {
        start(ThreadMode.COMPACT, "cuda");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            program.new Context(1).compute(4096, 3);
        }
    }

    @Test
    void givenSeveralPrograms_whenAllCompute_thenResultsAreRight() {
        start(ThreadMode.SEPARATE, "cuda");
        AtomicReference<Throwable> error = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int seed = 1000 * i;
            threads.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
                                    CudaProgram.Context context = program.new Context(1);
                                    for (int n = 0; n < 20; n++) {
                                        context.compute(1024, seed + n);
                                    }
                                } catch (RuntimeException | Error e) {
                                    error.set(e);
                                }
                            }));
        }
        join(threads);
        assertEquals(null, error.get());
    }

    @Test
    void givenProgramsOfBothKinds_whenBothCompute_thenResultsAreRight() throws Exception {
        start(ThreadMode.SEPARATE, "cuda", "pv");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"));
                GpuContext guest = GpuContext.open(PvTransport.connect(socket("pv")))) {
            program.new Context(1).compute(4096, 3);
            Timings.of(new Task(Workloads.named("mmul"), 48), guest, 1);
            program.new Context(2).compute(4096, 4);
        }
    }

    @Test
    void givenSocketOfOtherKind_whenClientConnects_thenReasonIsClear() {
        start(ThreadMode.SEPARATE, "cuda", "pv");
        assertEquals(
                "cuda is for CUDA programs, not for paravirtual guests",
                refusal(() -> PvTransport.connect(socket("cuda"))));
        assertEquals(
                "pv is for paravirtual guests, not for CUDA programs",
                refusal(() -> SocketConnection.open(socket("pv"), RingProtocol.CUDA, 0)));
    }

    @Test
    void givenAreaOfProgram_whenMapped_thenItContainsNothingElseThanAreaAndData() {
        start(ThreadMode.SEPARATE, "cuda");
        try (SocketConnection connection =
                SocketConnection.open(socket("cuda"), RingProtocol.CUDA, MIB)) {
            assertEquals(MIB, connection.area().layout().dataBytes());
            assertEquals(connection.area().layout().bytes(), connection.area().memory().byteSize());
            assertEquals(1, connection.area().layout().channels());
        }
    }

    @Test
    void givenFreedMemory_whenAllocatedAtOnce_thenAllocationWaitsForRelease() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            CudaProgram.Context context = program.new Context(1);
            context.compute(64, 1);
            for (int i = 0; i < 50; i++) {
                long memory = context.allocate(VRAM - OVERHEAD);
                program.send(new CudaCall.MemFree(memory));
            }
            CudaCompletion tooMuch = program.call(new CudaCall.MemAlloc(1, VRAM + 1));
            assertEquals(CudaStatus.OUT_OF_MEMORY, tooMuch.status());
        }
    }

    @Test
    void givenContexts_whenCreatedAndDestroyedRepeatedly_thenNextOneFindsResources() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            for (int i = 0; i < 100; i++) {
                CudaProgram.Context context = program.new Context(1 + ((long) i << 32));
                context.allocate(VRAM - OVERHEAD);
                for (int stream = 0; stream < 4; stream++) {
                    long handle = program.newHandle();
                    program.send(
                            new CudaCall.StreamCreateWithPriority(context.handle, handle, 0, 0));
                }
                program.send(new CudaCall.CtxDestroy(context.handle));
            }
            program.new Context(2).compute(64, 1);
        }
    }

    @Test
    void givenManyStreams_whenUsed_thenStreamsShareChannelsAndOtherContextsHaveTheirs() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            List<CudaProgram.Context> contexts = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                CudaProgram.Context context = program.new Context(i);
                contexts.add(context);
                long memory = context.allocate(100 * Integer.BYTES);
                program.send(new CudaCall.MemsetD32Async(memory, 0, 100, context.stream));
                List<Long> streams = new ArrayList<>();
                for (int n = 0; n < 100; n++) {
                    long stream = program.newHandle();
                    program.send(
                            new CudaCall.StreamCreateWithPriority(context.handle, stream, 0, 0));
                    streams.add(stream);
                }
                for (int n = 0; n < 100; n++) {
                    context.launch(
                            streams.get(n),
                            CudaProgram.ADD,
                            1,
                            1,
                            memory + (long) n * Integer.BYTES,
                            n);
                }
                program.succeed(new CudaCall.CtxSynchronize(context.handle));
                program.succeed(new CudaCall.MemcpyDtoH(0, memory, 400, context.stream));
                for (int n = 0; n < 100; n++) {
                    assertEquals(n, program.data().getAtIndex(ValueLayout.JAVA_INT, n));
                }
            }
            contexts.forEach(context -> context.compute(64, 5));
        }
    }

    @Test
    void givenKernelThatFaults_whenSynchronized_thenOnlyItsContextFails() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            CudaProgram.Context context = program.new Context(1);
            CudaProgram.Context other = program.new Context(2);
            long memory = other.allocate(MIB);
            context.launch(context.stream, CudaProgram.POKE, 1, 1, memory, 0);
            int status = program.call(new CudaCall.StreamSynchronize(context.stream)).status();
            assertNotEquals(CudaStatus.SUCCESS, status);
            assertEquals(status, program.call(new CudaCall.MemAlloc(1, MIB)).status());
            other.compute(1024, 1);
            program.send(new CudaCall.CtxDestroy(context.handle));
            program.new Context(3).compute(1024, 2);
        }
    }

    @Test
    void givenProgramWithWrongNumbers_whenCallArrives_thenOnlyItsSessionEnds() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram hostile = CudaProgram.connect(socket("cuda"));
                CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            hostile.client.sendEntry(new CudaCall.Nop().tag(), 77, _ -> {});
            hostile.awaitLoss();
            program.new Context(1).compute(64, 1);
            assertEquals(1, backend.summary().vms().getFirst().pv().get("violations"));
            assertEquals(0, backend.summary().vms().getFirst().pv().get("dropped"));
        }
    }

    @Test
    void givenProgramsThatDieAtAnyTime_whenNextProgramsRun_thenAllResourcesAreFree() {
        start(ThreadMode.SEPARATE, "cuda");
        long seed = System.nanoTime();
        RandomGenerator random = RandomGeneratorFactory.getDefault().create(seed);
        try (CudaProgram sibling = CudaProgram.connect(socket("cuda"))) {
            CudaProgram.Context kept = sibling.new Context(1);
            for (int i = 0; i < 40; i++) {
                die(random);
                if (i % 8 == 0) {
                    kept.compute(256, i);
                }
            }
            await("the sessions' ends, seed " + seed, () -> openSessions() == 1);
            long free =
                    CudaReply.MemGetInfo.read(sibling.succeed(new CudaCall.MemGetInfo(1)).entry())
                            .freeBytes();
            assertTrue(free > VRAM - OVERHEAD, () -> "free bytes: " + free + ", seed " + seed);
        }
        await("the last end", () -> openSessions() == 0);
        try (CudaProgram next = CudaProgram.connect(socket("cuda"))) {
            for (int i = 1; i <= 16; i++) {
                next.new Context(i);
            }
            next.call(new CudaCall.MemAlloc(1, VRAM - OVERHEAD));
        }
    }

    /// Runs a program that ends its connection after any number of calls, without waiting.
    private void die(RandomGenerator random) {
        try (CudaProgram program = CudaProgram.connect(socket("cuda"))) {
            if (random.nextInt(4) == 0) {
                return;
            }
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                program.send(new CudaCall.CtxCreate(n, 0, 0, program.newHandle()));
            }
            if (random.nextInt(3) == 0) {
                return;
            }
            CudaProgram.Context context = program.new Context(4);
            long memory = context.allocate(MIB);
            if (random.nextBoolean()) {
                program.data().set(ValueLayout.JAVA_INT, MIB, 0);
                context.launch(
                        context.stream, CudaProgram.SPIN, 1, 1, CudaProgram.DATA_ADDRESS + MIB, 0);
                program.data().set(ValueLayout.JAVA_INT, MIB, 1);
            }
            for (int n = random.nextInt(30); n > 0; n--) {
                switch (random.nextInt(5)) {
                    case 0 -> program.send(new CudaCall.MemAlloc(4, 1 + random.nextLong(4 * MIB)));
                    case 1 ->
                            program.send(
                                    new CudaCall.StreamCreateWithPriority(
                                            4, program.newHandle(), 0, 0));
                    case 2 ->
                            program.send(
                                    new CudaCall.MemcpyHtoDAsync(memory, 0, MIB, context.stream));
                    case 3 -> context.launch(context.stream, CudaProgram.ADD, 8, 32, memory, 1);
                    default -> program.send(new CudaCall.CtxDestroy(1 + random.nextInt(3)));
                }
            }
        }
    }

    @Test
    void givenProgramsInMachine_whenKernelsRun_thenResultsAreCopiedBack() {
        start(ThreadMode.SEPARATE, List.of(vm("cuda", ",via=vfio-user,sessions=3")));
        try (FunctionMachine machine = new FunctionMachine(socket("cuda"))) {
            assertEquals(
                    "magic=0x55437067: the function is for CUDA programs, not for paravirtual guests",
                    refusal(() -> PciConnection.open(new FunctionProgram(machine, 0))));
            try (CudaProgram first = CudaProgram.connect(new FunctionProgram(machine, 0));
                    CudaProgram second = CudaProgram.connect(new FunctionProgram(machine, 1))) {
                first.new Context(1).compute(1024, 1);
                second.new Context(1).compute(1024, 2);
            }
            CudaProgram dead = CudaProgram.connect(new FunctionProgram(machine, 2));
            dead.new Context(1).allocate(VRAM - OVERHEAD);
            try (CudaProgram next = CudaProgram.connect(new FunctionProgram(machine, 2))) {
                CudaProgram.Context context = next.new Context(1);
                context.allocate(VRAM - OVERHEAD);
                context.compute(1024, 3);
                dead.awaitLoss();
            }
        }
    }

    /// Returns a module whose compilation takes much longer than the tests' kernels.
    private static String longSource() {
        final int kernels = 80;
        final int instructions = 1500;
        StringBuilder text = new StringBuilder(".version 3.0\n.target sm_20\n.address_size 64\n");
        for (int kernel = 0; kernel < kernels; kernel++) {
            text.append(".visible .entry k%d(.param .u64 at)\n{\n".formatted(kernel));
            text.append(".reg .u64 %at;\n.reg .u32 %v<").append(instructions).append(">;\n");
            text.append("ld.param.u64 %at, [at];\nld.global.u32 %v0, [%at];\n");
            for (int i = 1; i < instructions; i++) {
                text.append("mad.lo.u32 %%v%d, %%v%d, %%v%d, %d;\n".formatted(i, i / 2, i - 1, i));
            }
            text.append("st.global.u32 [%%at], %%v%d;\nret;\n}\n".formatted(instructions - 1));
        }
        return text.toString();
    }

    @Test
    void givenLongCompilation_whenProgramsCompute_thenTheyProceed() {
        start(ThreadMode.SEPARATE, "cuda");
        try (CudaProgram compiling = CudaProgram.connect(socket("cuda"));
                CudaProgram sibling = CudaProgram.connect(socket("cuda"))) {
            CudaProgram.Context own = compiling.new Context(1);
            CudaProgram.Context other = sibling.new Context(1);
            own.compute(1024, 1);
            other.compute(1024, 2);
            long link = own.link(longSource());

            other.compute(1024, 3);
            await("copy of the request", () -> compiling.client.retired() > link);
            own.compute(1024, 4);

            compiling.client.collect();
            assertFalse(compiling.client.hasArrived(link), "the compilation has not ended");
        }
        await("end of the sessions", () -> openSessions() == 0);
        try (CudaProgram next = CudaProgram.connect(socket("cuda"))) {
            CudaProgram.Context context = next.new Context(1);
            CudaCompletion completion =
                    next.client.await(
                            context.link(
                                    ".version 3.0\n.target sm_20\n.address_size 64\n"
                                            + ".visible .entry k()\n{\nret;\n}\n"));
            assertEquals(
                    CudaStatus.nameOf(CudaStatus.SUCCESS), CudaStatus.nameOf(completion.status()));
        }
    }

    private void start(ThreadMode threads, String... modes) {
        start(threads, Stream.of(modes).map(mode -> vm(mode, "")).toList());
    }

    private VmConfig vm(String mode, String keys) {
        return VmConfig.parse(
                "%s,mode=%s,vram=64M,data=16M,socket=%s%s"
                        .formatted(mode, mode, socket(mode), keys));
    }

    private void start(ThreadMode threads, List<VmConfig> vms) {
        backend =
                Backend.start(
                        new BackendConfig(
                                GpuSpec.parse("soft,vram=256M,workers=1"),
                                vms,
                                IdleMode.BACKOFF,
                                Duration.ofSeconds(10),
                                null,
                                threads),
                        () -> failed.set(true));
    }

    private Path socket(String mode) {
        return folder.resolve(mode);
    }

    private long openSessions() {
        return backend.summary().vms().getFirst().sessions().open();
    }

    private static String refusal(Executable connect) {
        return assertThrows(TransportException.class, connect).getMessage();
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - start < LIMIT_NS, () -> what + ": not in time");
            Thread.onSpinWait();
        }
    }

    private static void join(List<Thread> threads) {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
