package io.gpuvm.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpuvm.guests.real.AtEnd;
import io.gpuvm.guests.real.Children;
import io.gpuvm.guests.real.GpuServer;
import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestSetupException;
import io.gpuvm.guests.real.GuestVerdict;
import io.gpuvm.guests.real.LiveGuest;
import io.gpuvm.guests.real.RunFolder;
import io.gpuvm.guests.real.RunListener;
import io.gpuvm.guests.real.RunOptions;
import io.gpuvm.guests.real.ServerSpec;
import io.gpuvm.guests.real.VmSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;

/// One demonstration: a backend and its guests, from start to shutdown.
///
/// Confined to the thread that calls [#run], except when a signal ends it.
final class DemoRun implements RunListener {
    private static final Duration STEP = Duration.ofMillis(100);

    /// Time limit of virtual machines, which share the host's processors with all other guests.
    private static final Duration LIMIT = Duration.ofMinutes(10);

    /// Minimum number of runs of each paravirtual guest; the runs repeat until the virtual machines
    /// have finished.
    private static final int LEAST_ROUNDS = 2;

    /// Pause between two runs while virtual machines boot: a boot needs processors but no GPU.
    private static final Duration REST = Duration.ofSeconds(5);

    private final DemoPlan plan;
    private final String gpu;
    private final GuestFiles files;
    private final DemoScreen board;
    private final Map<String, String> programs;
    private final RunFolder folder = new RunFolder(false);
    private final Children children = new Children();
    private final List<GuestProcess> workers = new ArrayList<>();
    private final List<Machine> machines = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private CompletableFuture<List<String>> setup;
    private long powerOnNs;
    private volatile boolean over;

    /// True after a virtual machine has loaded its driver and started its program.
    private volatile boolean computing;

    /// Virtual machine that is powered on.
    private record Machine(DemoPlan.Machine plan, LiveGuest guest) {}

    private DemoRun(DemoPlan plan, String gpu, GuestFiles files, DemoScreen board) {
        this.plan = plan;
        this.gpu = gpu;
        this.files = files;
        this.board = board;
        programs =
                plan.real().stream()
                        .collect(
                                Collectors.toMap(
                                        machine -> machine.vm().name(), DemoPlan.Machine::program));
    }

    /// Runs the demonstration to its end. No process, socket or folder remains when this method
    /// returns or throws, or when the JVM is terminated during the call.
    ///
    /// @param gpu value of the backend's `--gpu`
    /// @return whether every result was verified
    static boolean run(DemoPlan plan, String gpu, GuestFiles files, DemoScreen board)
            throws InterruptedException {
        DemoRun run = new DemoRun(plan, gpu, files, board);
        try (AtEnd _ = new AtEnd(run::end)) {
            return run.run();
        } catch (IllegalStateException e) {
            // The cause may only be that the shutdown has prevented the start of a process.
            if (run.over) {
                return false;
            }
            throw e;
        }
    }

    /// Ends the demonstration: closes the output, kills all processes, and deletes the folder. The
    /// set-up of virtual machines has processes that are descendants of this process, but not its
    /// children.
    private void end() {
        over = true;
        board.close(List.of());
        if (setup != null && !setup.isDone()) {
            ProcessHandle.current().children().forEach(DemoRun::endTree);
        }
        children.close();
        folder.close();
    }

    private static void endTree(ProcessHandle process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    private boolean run() throws InterruptedException {
        board.say(
                "host",
                "a software GF100, %d paravirtual guests, %d virtual machines"
                        .formatted(plan.paravirtual().size(), plan.real().size()));
        GpuServer server = GpuServer.start(server(), plan.vms(), folder, children, this);
        board.say("host", "the backend is ready");
        prepareMachines();
        for (DemoPlan.Worker worker : plan.paravirtual()) {
            GuestProcess guest = new GuestProcess(worker, folder, children);
            workers.add(guest);
            start(guest);
        }
        while (!over && isBusy()) {
            lookAfterSetup();
            workers.forEach(this::lookAfter);
            lookAfterMachines();
            Thread.sleep(STEP);
        }
        return !over && judge(server);
    }

    private boolean isBusy() {
        return machinesToCome() || workers.stream().anyMatch(GuestProcess::isRunning);
    }

    private boolean machinesToCome() {
        return setup != null || machines.stream().anyMatch(machine -> !machine.guest().hasEnded());
    }

    private void prepareMachines() {
        if (plan.real().isEmpty()) {
            return;
        }
        String kernel = plan.real().getFirst().vm().kernel();
        board.say("host", "setting up QEMU and Linux %s in %s".formatted(kernel, files.cache()));
        List<String> arguments = new ArrayList<>(List.of("--kernel", kernel));
        if (plan.real().stream().anyMatch(machine -> files.needsMesa(machine.program()))) {
            arguments.add("--mesa");
        }
        setup =
                CompletableFuture.supplyAsync(
                        () -> files.prepare(arguments, line -> board.say("host", line)));
    }

    private void lookAfterSetup() {
        if (setup == null || !setup.isDone()) {
            return;
        }
        CompletableFuture<List<String>> done = setup;
        setup = null;
        try {
            done.join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof GuestSetupException why)) {
                throw e;
            }
            board.say("host", "continuing without virtual machines: " + why.getMessage());
            return;
        }
        powerOnNs = System.nanoTime();
        for (DemoPlan.Machine machine : plan.real()) {
            VmSpec vm = machine.vm();
            board.say(vm.name(), "powered on: QEMU, its graphics card is a virtual GF100");
            board.activity(vm.name(), "boots");
            RunOptions options = options(machine);
            machines.add(
                    new Machine(
                            machine,
                            LiveGuest.powerOn(vm, options, files, folder, children, this)));
        }
    }

    private RunOptions options(DemoPlan.Machine machine) {
        return RunOptions.of(machine.vm().kernel(), machine.program())
                .withVms(machine.vm())
                .withArguments(machine.arguments().toArray(String[]::new))
                .withTimeout(LIMIT)
                .withServer(server());
    }

    private ServerSpec server() {
        return new ServerSpec.Backend(gpu, RunOptions.DEFAULT_IDLE).withoutCommandLimit();
    }

    private void lookAfter(GuestProcess guest) {
        if (!guest.isRunning()) {
            if (guest.verified() >= LEAST_ROUNDS && machinesToCome() && isRested(guest)) {
                start(guest);
            }
            return;
        }
        String result = guest.poll();
        if (result == null) {
            return;
        }
        board.say(guest.name(), result);
        String activity = machinesToCome() ? "rests" : "done";
        board.activity(guest.name(), guest.failure() == null ? activity : "FAILED");
        if (guest.verified() < LEAST_ROUNDS) {
            start(guest);
        }
    }

    private boolean isRested(GuestProcess guest) {
        return computing || System.nanoTime() - guest.endNs() > REST.toNanos();
    }

    private void start(GuestProcess guest) {
        if (!over && guest.failure() == null) {
            guest.start();
            board.activity(
                    guest.name(), "%s, run %d".formatted(guest.workload(), guest.verified() + 1));
        }
    }

    private void lookAfterMachines() throws InterruptedException {
        if (System.nanoTime() - powerOnNs <= LIMIT.toNanos()) {
            return;
        }
        for (Machine machine : machines) {
            LiveGuest guest = machine.guest();
            if (!guest.hasEnded()) {
                failures.add(
                        "%s: not finished, limit=%d s".formatted(guest.name(), LIMIT.toSeconds()));
                guest.kill();
            }
        }
    }

    private boolean judge(GpuServer server) throws InterruptedException {
        JsonNode summary = server.stop();
        VmFigures.Table totals = VmFigures.Table.EMPTY.next(summary);
        List<String> story = new ArrayList<>(List.of("", VmFigures.HEADER));
        totals.rows().forEach(row -> story.add(row.line("in all")));
        story.add("");
        for (GuestProcess guest : workers) {
            story.add(
                    "%-4s %s: verified %d times"
                            .formatted(guest.name(), guest.workload(), guest.verified()));
            if (guest.failure() != null) {
                failures.add(guest.name() + ": " + guest.failure());
            }
        }
        for (Machine machine : machines) {
            String name = machine.guest().name();
            GuestVerdict verdict = machine.guest().verdict();
            story.add(
                    "%-4s Linux %s, %s: %d checks ok"
                            .formatted(
                                    name,
                                    verdict.kernel(),
                                    machine.plan().does(),
                                    verdict.checksPassed()));
            if (verdict.checksPassed() == 0) {
                failures.add(name + ": checks=0, expected at least 1");
            }
            verdict.failures().forEach(why -> failures.add(name + ": " + why));
        }
        if (workers.isEmpty() && machines.isEmpty()) {
            failures.add("guests=0, expected at least 1");
        }
        if (summary.isMissingNode()) {
            failures.add("the backend wrote no summary");
        }
        failures.forEach(why -> story.add("failed: " + why));
        story.add(failures.isEmpty() ? "All results were verified." : "The demo FAILED.");
        board.close(story);
        return failures.isEmpty();
    }

    @Override
    public void onProgress(String text) {
        board.say("host", text);
    }

    @Override
    public void onCounters(JsonNode summary) {
        board.show(summary);
    }

    @Override
    public void onEvent(String vm, GuestEvent event) {
        switch (event) {
            case GuestEvent.Booted booted ->
                    tell(vm, "loads nouveau", "Linux %s is up".formatted(booted.kernel()));
            case GuestEvent.Loaded _ -> {
                computing = true;
                tell(vm, programs.get(vm), "nouveau is loaded");
            }
            case GuestEvent.Check check ->
                    board.say(vm, (check.ok() ? "verified: " : "WRONG: ") + check.text());
            case GuestEvent.Finished _ -> tell(vm, "powers off", "powers off");
            default -> {}
        }
    }

    private void tell(String vm, String activity, String text) {
        board.activity(vm, activity);
        board.say(vm, text);
    }
}
