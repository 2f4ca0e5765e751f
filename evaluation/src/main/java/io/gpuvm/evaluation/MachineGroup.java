package io.gpuvm.evaluation;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.LiveGuest;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.VmSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Virtual machines of one backend. One thread.
final class MachineGroup implements GuestGroup {
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(300);
    private static final Duration ENDLESS = Duration.ofDays(1);

    private final RunResources resources;
    private final RunFolder folder;
    private final MeasuredBackend backend;
    private final List<Machine> machines = new ArrayList<>();

    /// Virtual machine with its program.
    private static final class Machine {
        final LiveGuest guest;
        final MeasuredProgram program;
        final long startNs = System.nanoTime();
        long readyNs;
        JsonNode greeting;

        Machine(LiveGuest guest, MeasuredProgram program) {
            this.guest = guest;
            this.program = program;
        }
    }

    /// @param backend backend, owned by the group
    MachineGroup(RunResources resources, RunFolder folder, MeasuredBackend backend) {
        this.resources = resources;
        this.folder = folder;
        this.backend = backend;
    }

    /// Returns the specification of a machine.
    static VmSpec spec(String name, Map<String, String> backendKeys) {
        return new VmSpec(name, RunOptions.DEFAULT_KERNEL, backendKeys);
    }

    /// Powers a machine on.
    ///
    /// @param options options of its guest, with one machine, whose keys all machines have
    void powerOn(String name, RunOptions options, GuestFiles files) {
        LiveGuest[] guest = new LiveGuest[1];
        MeasuredProgram program = new MeasuredProgram(line -> guest[0].send(line), ANSWER_LIMIT);
        RunListener listener =
                new RunListener() {
                    @Override
                    public void onProgress(String text) {}

                    @Override
                    public void onEvent(String vm, GuestEvent event) {
                        accept(program, event);
                    }
                };
        guest[0] =
                LiveGuest.powerOn(
                        spec(name, options.vms().getFirst().backendKeys()),
                        options,
                        files,
                        folder,
                        resources.children(),
                        listener);
        LiveGuest started = guest[0];
        Thread.ofVirtual()
                .name("end-of-" + name)
                .start(() -> {
                    try {
                        started.awaitEnd(ENDLESS);
                        program.ended("the machine has ended");
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
        machines.add(new Machine(started, program));
    }

    private static void accept(MeasuredProgram program, GuestEvent event) {
        switch (event) {
            case GuestEvent.Other other -> program.accept(other.line());
            case GuestEvent.Exited exited ->
                    program.ended("the program ended: exit status %d".formatted(exited.status()));
            case GuestEvent.Loaded loaded when loaded.status() != 0 ->
                    program.ended("the driver: exit status %d".formatted(loaded.status()));
            default -> {}
        }
    }

    /// Waits until the programs in all machines are ready.
    ///
    /// @throws GuestLostException if one ends first, or is not ready in time
    void awaitReady(Duration limit) throws InterruptedException {
        for (Machine machine : machines) {
            machine.greeting = machine.program.awaitReady(limit);
            machine.readyNs = System.nanoTime();
        }
    }

    /// Returns the time from the first machine's power-on until its program was ready, in
    /// nanoseconds.
    long startNs() {
        return machines.getFirst().readyNs - machines.getFirst().startNs;
    }

    /// Returns the first line of the first machine's program.
    JsonNode greeting() {
        return machines.getFirst().greeting;
    }

    /// Returns the first machine's guest.
    LiveGuest guest() {
        return machines.getFirst().guest;
    }

    @Override
    public List<MeasuredProgram> programs() {
        return machines.stream().map(machine -> machine.program).toList();
    }

    @Override
    public MeasuredBackend backend() {
        return backend;
    }

    @Override
    public void close() {
        for (Machine machine : machines) {
            try {
                machine.guest.kill();
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
        backend.close();
        resources.remove(folder);
    }
}
