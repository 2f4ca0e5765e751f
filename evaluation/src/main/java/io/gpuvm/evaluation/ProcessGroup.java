package io.gpuvm.evaluation;

import io.gpuvm.guests.real.ProcessorSplit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Several programs on the host as paravirtual guests of one backend. One thread.
final class ProcessGroup implements GuestGroup {
    private static final Duration START_LIMIT = Duration.ofSeconds(120);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(300);

    private final GuestScope scope;
    private final MeasuredBackend backend;
    private final List<MeasuredProgram> programs = new ArrayList<>();

    private ProcessGroup(int guests, ProcessorSplit split, GuestScope scope)
            throws InterruptedException {
        this.scope = scope;
        Map<String, Map<String, String>> vms = new LinkedHashMap<>();
        for (int i = 0; i < guests; i++) {
            vms.put("guest" + i, AccessConfiguration.PV_PROCESS.backendKeys());
        }
        backend = MeasuredBackend.start(vms, split, scope);
        for (String vm : vms.keySet()) {
            List<String> options = List.of("--socket", scope.folder().socket(vm).toString());
            programs.add(
                    ProgramProcess.start(
                                    vm,
                                    ProgramProcess.Command.inJava(options),
                                    split.guests(),
                                    scope,
                                    ANSWER_LIMIT)
                            .program());
        }
        for (MeasuredProgram program : programs) {
            program.awaitReady(START_LIMIT);
        }
    }

    /// Starts a backend and its guests. Returns when all programs are ready.
    ///
    /// @throws GuestLostException if a process does not start
    static ProcessGroup start(int guests, ProcessorSplit split, RunResources resources)
            throws InterruptedException {
        return resources.start(scope -> new ProcessGroup(guests, split, scope));
    }

    @Override
    public List<MeasuredProgram> programs() {
        return List.copyOf(programs);
    }

    @Override
    public MeasuredBackend backend() {
        return backend;
    }

    @Override
    public void close() {
        scope.close();
    }
}
