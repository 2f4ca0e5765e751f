package io.gpuvm.evaluation;

import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.LiveGuest;
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

    private final GuestScope scope;
    private final MeasuredBackend backend;
    private final List<Machine> machines = new ArrayList<>();

    /// Virtual machine with its program.
    private static final class Machine {
        final LiveGuest guest;
        final MeasuredProgram program;
        final long startNs;
        long readyNs;
        ProgramAnswer greeting;

        /// @param startNs time of the power-on by the monotonic clock, in nanoseconds
        Machine(LiveGuest guest, MeasuredProgram program, long startNs) {
            this.guest = guest;
            this.program = program;
            this.startNs = startNs;
        }
    }

    /// @param scope ends the backend and the machines
    MachineGroup(GuestScope scope, MeasuredBackend backend) {
        this.scope = scope;
        this.backend = backend;
    }

    /// Returns the specification of a machine.
    static VmSpec spec(String name, Map<String, String> backendKeys) {
        return new VmSpec(name, RunOptions.DEFAULT_KERNEL, backendKeys);
    }

    /// Powers a machine on.
    ///
    /// @param options options with one virtual machine, whose keys this machine also has
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
        long startNs = System.nanoTime();
        guest[0] =
                LiveGuest.powerOn(
                        spec(name, options.vms().getFirst().backendKeys()),
                        options,
                        files,
                        scope.folder(),
                        scope.children(),
                        listener);
        LiveGuest started = scope.add(guest[0], MachineGroup::kill);
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
        machines.add(new Machine(started, program, startNs));
    }

    private static void kill(LiveGuest guest) {
        try {
            guest.kill();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static void accept(MeasuredProgram program, GuestEvent event) {
        switch (event) {
            case GuestEvent.Other other -> program.accept(other.line());
            case GuestEvent.Exited exited ->
                    program.ended("the program ended: exit status %d".formatted(exited.status()));
            case GuestEvent.Loaded loaded when loaded.status() != 0 ->
                    program.ended(
                            "loading the driver failed: exit status %d".formatted(loaded.status()));
            default -> {}
        }
    }

    /// Waits until the programs in all machines are ready.
    ///
    /// @throws GuestLostException if a program ends first, or is not ready in time
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

    /// Returns the first answer of the first machine's program.
    ProgramAnswer greeting() {
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
        scope.close();
    }
}
