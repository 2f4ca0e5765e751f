package io.gpuvm.tests.cuda;

import io.gpuvm.cuda.protocol.CudaCall;
import io.gpuvm.cuda.protocol.CudaOpcode;
import io.gpuvm.cuda.protocol.CudaReply;
import io.gpuvm.cuda.protocol.CudaStatus;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// Client that sends random calls, but reads its completions and ends its host functions, so that
/// the backend executes most calls. Confined to one thread.
public final class HostileClient {
    /// Number of contexts whose handles calls usually name.
    private static final int CONTEXTS = 3;

    /// Number of kernels of the module that are launched often; other kernels may fail or never
    /// end.
    private static final int HARMLESS_KERNELS = 2;

    private static final int KERNELS = 10;
    private static final int PARAMETER_BYTES = 16;

    private final Random random;
    private final CudaTestClient client;
    private final RandomCalls calls;
    private final byte[] cubin;
    private final byte[] hash;
    private final int mostUnanswered;
    private final long description;

    /// Calls without completion, by number: whether a call is a host function.
    private final Map<Long, Boolean> unanswered = new HashMap<>();

    private int succeeded;

    /// @param random source of all choices
    /// @param client client of a connected session
    /// @param cubin module; its first two kernels write to the address that is their parameter
    /// @param mostUnanswered unanswered calls from which the client waits, less than the number of
    ///   completion entries
    public HostileClient(Random random, CudaTestClient client, byte[] cubin, int mostUnanswered) {
        this.random = random;
        this.client = client;
        this.cubin = cubin.clone();
        this.mostUnanswered = mostUnanswered;
        hash = sha256(cubin);
        description = client.data().byteSize() / 2;
        calls = new RandomCalls(random, client);
        calls.addBytes("factor".getBytes(StandardCharsets.UTF_8));
        calls.addBytes(hash);
    }

    /// Returns the number of calls that succeeded.
    public int succeeded() {
        return succeeded;
    }

    /// Sends a call, or several, and takes completions.
    public void step() {
        if (random.nextInt(50) == 0) {
            createUsual();
        }
        RandomCalls.Sent sent = calls.send();
        if (sent.isAnswered()) {
            expect(sent.number(), sent.opcode() == CudaOpcode.LAUNCH_HOST_FUNC);
        }
        takeCompletions();
        while (unanswered.size() > mostUnanswered) {
            client.pause();
            takeCompletions();
        }
    }

    /// Destroys the usual contexts, and waits for the completions of all calls.
    public void finish() {
        for (int context = 1; context <= CONTEXTS; context++) {
            client.send(new CudaCall.CtxDestroy(context));
        }
        while (!unanswered.isEmpty()) {
            client.pause();
            takeCompletions();
        }
    }

    /// Creates objects with the handles that calls usually name, and launches a kernel.
    private void createUsual() {
        expect(client.send(new CudaCall.CtxCreate(1, 0, 0, 1)), false);
        MemorySegment.copy(cubin, 0, client.data(), ValueLayout.JAVA_BYTE, 0, cubin.length);
        if (random.nextInt(10) == 0) {
            client.data().set(ValueLayout.JAVA_BYTE, random.nextInt(cubin.length), (byte) 1);
        }
        expect(
                client.send(
                        new CudaCall.ModuleLoadData(
                                1,
                                1,
                                0,
                                random.nextInt(4) == 0 ? 0 : cubin.length,
                                description,
                                random.nextInt(10) == 0 ? 100 : description / 2,
                                ByteBuffer.wrap(hash))),
                false);
        long memory = client.send(new CudaCall.MemAlloc(1, Integer.BYTES));
        CudaCompletion allocated = client.await(memory);
        byte[] parameters = new byte[PARAMETER_BYTES];
        if (allocated.status() == CudaStatus.SUCCESS) {
            long address = CudaReply.MemAlloc.read(allocated.entry()).address();
            calls.addAddress(address);
            MemorySegment.ofArray(parameters).set(WireType.U64.withByteAlignment(1), 0, address);
        }
        int kernel = random.nextInt(random.nextInt(10) == 0 ? KERNELS : HARMLESS_KERNELS);
        client.send(
                new CudaCall.LaunchKernel(
                        1, kernel, 0, 1, 1, 1, 1, 1, 1, 0, 1, ByteBuffer.wrap(parameters)));
    }

    private void expect(long number, boolean isHostFunction) {
        unanswered.put(number, isHostFunction);
    }

    /// Takes completions, and ends the host functions that the client may run.
    private void takeCompletions() {
        client.collect();
        for (long number : unanswered.keySet().toArray(Long[]::new)) {
            if (client.hasArrived(number)) {
                CudaCompletion completion = client.await(number);
                boolean isHostFunction = unanswered.remove(number);
                boolean isSuccess = completion.status() == CudaStatus.SUCCESS;
                succeeded += isSuccess ? 1 : 0;
                if (isSuccess && isHostFunction || random.nextInt(100) == 0) {
                    client.send(new CudaCall.HostFunctionDone(number));
                }
            }
        }
    }

    private static byte[] sha256(byte[] image) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(image);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
