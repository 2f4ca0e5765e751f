package io.gpuvm.evaluation;

import io.gpuvm.guests.real.RunFolder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Several programs on the host as paravirtual guests of one backend. One thread.
final class ProcessGroup implements GuestGroup {
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(300);

    private final RunResources resources;
    private final RunFolder folder;
    private final MeasuredBackend backend;
    private final List<ProgramProcess> processes = new ArrayList<>();

    private ProcessGroup(RunResources resources, RunFolder folder, MeasuredBackend backend) {
        this.resources = resources;
        this.folder = folder;
        this.backend = backend;
    }

    /// Starts a backend and its guests. Returns when all programs are ready.
    ///
    /// @throws GuestLostException if a process does not start
    static ProcessGroup start(int guests, ProcessorSplit split, RunResources resources)
            throws InterruptedException {
        RunFolder folder = resources.newFolder();
        Map<String, Map<String, String>> vms = new LinkedHashMap<>();
        for (int i = 0; i < guests; i++) {
            vms.put(name(i), AccessConfiguration.PV_PROCESS.backendKeys());
        }
        MeasuredBackend backend =
                MeasuredBackend.start(
                        ProcessGuest.gpu(split), vms, split, folder, resources.children());
        ProcessGroup group = new ProcessGroup(resources, folder, backend);
        try {
            for (int i = 0; i < guests; i++) {
                group.processes.add(
                        ProgramProcess.start(
                                List.of("--socket", folder.socket(name(i)).toString()),
                                split.guests(),
                                folder.qemuLog(name(i)),
                                resources.children(),
                                ANSWER_LIMIT));
            }
            for (ProgramProcess process : group.processes) {
                process.program().awaitReady(START_LIMIT);
            }
            return group;
        } catch (GuestLostException e) {
            group.close();
            throw e;
        }
    }

    private static String name(int guest) {
        return "guest" + guest;
    }

    @Override
    public List<MeasuredProgram> programs() {
        return processes.stream().map(ProgramProcess::program).toList();
    }

    @Override
    public MeasuredBackend backend() {
        return backend;
    }

    @Override
    public void close() {
        processes.forEach(ProgramProcess::close);
        backend.close();
        resources.remove(folder);
    }
}
