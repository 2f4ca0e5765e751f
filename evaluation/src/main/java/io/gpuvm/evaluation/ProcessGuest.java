package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.evaluation.data.GuestStart;
import io.gpuvm.guests.real.RunFolder;
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
    private final RunResources resources;
    private final RunFolder folder;
    private final ProgramProcess process;

    /// Null if the GPU is in the program's process.
    private final MeasuredBackend backend;

    private final GpuThreads ownThreads;
    private final CompilerThreads ownCompilers;
    private final long startNs;
    private final JsonNode greeting;

    private ProcessGuest(
            AccessConfiguration configuration,
            ProcessorSplit split,
            RunResources resources,
            RunFolder folder)
            throws InterruptedException {
        this.configuration = configuration;
        this.resources = resources;
        this.folder = folder;
        String gpu = gpu(split);
        backend = configuration.isParavirtual() ? backend(gpu, split) : null;
        long beginNs = System.nanoTime();
        process =
                ProgramProcess.start(
                        options(gpu),
                        split.guests(),
                        folder.qemuLog(VM),
                        resources.children(),
                        ANSWER_LIMIT);
        greeting = process.program().awaitReady(START_LIMIT);
        startNs = System.nanoTime() - beginNs;
        ownThreads = new GpuThreads(process.pid());
        ownCompilers =
                new CompilerThreads(ownThreads, split, resources.children(), folder.qemuLog(VM));
        if (backend == null) {
            Pinning.move(
                    ownThreads.ids(), split.backends(), resources.children(), folder.qemuLog(VM));
        }
    }

    /// Starts a guest, and its backend if it needs one. Returns when the program is ready.
    ///
    /// @throws GuestLostException if one does not start
    static ProcessGuest start(
            AccessConfiguration configuration, ProcessorSplit split, RunResources resources)
            throws InterruptedException {
        return new ProcessGuest(configuration, split, resources, resources.newFolder());
    }

    /// Returns the value of `--gpu`: one worker per processor of the backend.
    static String gpu(ProcessorSplit split) {
        return "soft,vram=1G,workers=%d".formatted(split.backends().size());
    }

    private MeasuredBackend backend(String gpu, ProcessorSplit split) throws InterruptedException {
        return MeasuredBackend.start(
                gpu, Map.of(VM, configuration.backendKeys()), split, folder, resources.children());
    }

    private List<String> options(String gpu) {
        if (backend == null) {
            return List.of("--gpu", gpu);
        }
        List<String> options = new ArrayList<>();
        options.addAll(List.of("--socket", folder.socket(VM).toString()));
        if (!configuration.isBatched()) {
            options.addAll(List.of("--pv-batch", "off"));
        }
        return options;
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
    public void moveCompilers() throws InterruptedException {
        if (backend != null) {
            backend.moveCompilers();
        } else {
            ownCompilers.move();
        }
    }

    @Override
    public GuestStart start(int round) {
        return new GuestStart(
                configuration.key(),
                round,
                startNs,
                0,
                greeting.path("contextNs").asLong(),
                Map.of());
    }

    @Override
    public void close() {
        process.close();
        if (backend != null) {
            backend.close();
        }
        resources.remove(folder);
    }
}
