package io.gpuvm.evaluation;

import io.gpuvm.evaluation.data.GuestStart;
import io.gpuvm.guests.real.GpuThreads;
import io.gpuvm.guests.real.Pinning;
import io.gpuvm.guests.real.ProcessorSplit;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Program on the host: with a GPU of its own in its process, or as a paravirtual guest of a
/// backend. One thread.
final class ProcessGuest implements MeasuredGuest {
    private static final String VM = "guest";
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(120);

    private final AccessConfiguration configuration;
    private final GuestScope scope;
    private final ProgramProcess process;

    /// Backend, or null if the GPU is in the program's process.
    private final MeasuredBackend backend;

    private final GpuThreads ownThreads;
    private final DelayingThreads ownDelaying;
    private final long startNs;
    private final ProgramAnswer greeting;

    private ProcessGuest(AccessConfiguration configuration, ProcessorSplit split, GuestScope scope)
            throws InterruptedException {
        this.configuration = configuration;
        this.scope = scope;
        backend =
                configuration.isParavirtual()
                        ? MeasuredBackend.start(
                                Map.of(VM, configuration.backendKeys()), split, scope)
                        : null;
        long beginNs = System.nanoTime();
        process = ProgramProcess.start(VM, command(split), split.guests(), scope, ANSWER_LIMIT);
        greeting = process.program().awaitReady(START_LIMIT);
        startNs = System.nanoTime() - beginNs;
        ownThreads = new GpuThreads(process.pid());
        ownDelaying =
                new DelayingThreads(
                        ownThreads, split, scope.children(), scope.folder().qemuLog(VM));
        if (backend == null) {
            Pinning.moveThreads(
                    ownThreads.ids(),
                    split.backends(),
                    scope.children(),
                    scope.folder().qemuLog(VM));
        }
    }

    /// Starts a guest, and its backend if the guest is paravirtual. Returns when the program is
    /// ready.
    ///
    /// @throws GuestLostException if the program or the backend does not start
    static ProcessGuest start(
            AccessConfiguration configuration, ProcessorSplit split, RunResources resources)
            throws InterruptedException {
        return resources.start(scope -> new ProcessGuest(configuration, split, scope));
    }

    private ProgramProcess.Command command(ProcessorSplit split) {
        if (backend == null) {
            return ProgramProcess.Command.inJava(List.of("--gpu", MeasuredBackend.gpu(split)));
        }
        Path socket = scope.folder().socket(VM);
        if (configuration.isInC()) {
            return ProgramProcess.Command.inC(socket);
        }
        List<String> options = new ArrayList<>(List.of("--socket", socket.toString()));
        if (!configuration.isBatched()) {
            options.addAll(List.of("--pv-batch", "off"));
        }
        return ProgramProcess.Command.inJava(options);
    }

    @Override
    public MeasuredProgram program() {
        return process.program();
    }

    @Override
    public GpuReading read() {
        return backend != null
                ? backend.read()
                : GpuReading.ofNative(program().lastAnswer().path("counters"), ownThreads.times());
    }

    @Override
    public void moveDelayingThreads() throws InterruptedException {
        if (backend != null) {
            backend.moveDelayingThreads();
        } else {
            ownDelaying.move();
        }
    }

    @Override
    public GuestStart start(int round) {
        return new GuestStart(
                configuration.key(), round, startNs, 0, greeting.ns("contextNs"), Map.of());
    }

    @Override
    public void close() {
        scope.close();
    }
}
