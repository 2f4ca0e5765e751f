package io.gpuvm.evaluation;

import io.gpuvm.guests.real.Accelerator;
import io.gpuvm.guests.real.GuestFiles;
import io.gpuvm.guests.real.GuestHardware;
import io.gpuvm.guests.real.GuestSetupException;
import io.gpuvm.guests.real.ProcessorSplit;
import io.gpuvm.guests.real.RunOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Virtual machines with unmodified QEMU and Linux that run the program `gpuvm measure`, or the
/// workloads in C. Their files are set up when the first machine with this program starts. One
/// thread.
final class VirtualMachines implements EvaluationRun.MachineStarter {
    /// Time limit of a guest's program, longer than any step.
    private static final Duration PROGRAM_LIMIT = Duration.ofHours(1);

    /// Deadline for the start of a guest. Without KVM, the start of a guest with trapped BARs
    /// causes two million accesses until the driver is loaded.
    private static final Duration START_LIMIT = Duration.ofSeconds(300);

    /// Minimum deadline for the start of a guest, which the time limit does not shorten.
    private static final Duration LEAST_START_LIMIT = Duration.ofSeconds(120);

    private final ProcessorSplit split;
    private final RunResources resources;
    private final Accelerator accelerator;
    private final Consumer<String> progress;
    private final GuestFiles files = GuestFiles.locate();
    private final Set<String> prepared = new HashSet<>();

    /// @param progress receives lines of the set-up
    VirtualMachines(
            ProcessorSplit split,
            RunResources resources,
            Accelerator accelerator,
            Consumer<String> progress) {
        this.split = split;
        this.resources = resources;
        this.accelerator = accelerator;
        this.progress = progress;
    }

    @Override
    public MeasuredGuest start(AccessConfiguration configuration, Deadline deadline)
            throws InterruptedException {
        MachineGroup group = startGroup(configuration, 1, deadline);
        try {
            return new MachineGuest(configuration, group);
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    @Override
    public MachineGroup startGroup(AccessConfiguration configuration, int guests, Deadline deadline)
            throws InterruptedException {
        prepare(List.of(configuration));
        return resources.start(scope -> {
            Map<String, Map<String, String>> vms = new LinkedHashMap<>();
            for (int i = 0; i < guests; i++) {
                vms.put("vm" + i, configuration.backendKeys());
            }
            MachineGroup group = new MachineGroup(scope, MeasuredBackend.start(vms, split, scope));
            for (String vm : vms.keySet()) {
                group.powerOn(vm, options(configuration), files);
            }
            group.awaitReady(startLimit(deadline, guests));
            return group;
        });
    }

    /// Returns the time limit for the start of guests: proportional to the number of guests,
    /// shortened to the deadline, but at least the minimum.
    private static Duration startLimit(Deadline deadline, int guests) {
        double least = LEAST_START_LIMIT.toSeconds() * guests;
        double most = START_LIMIT.toSeconds() * guests;
        return Duration.ofSeconds(Math.round(Math.clamp(deadline.secondsLeft(), least, most)));
    }

    private RunOptions options(AccessConfiguration configuration) {
        List<String> arguments = new ArrayList<>(List.of(RunOptions.MEASURE));
        if (!configuration.isBatched()) {
            arguments.addAll(List.of("--pv-batch", "off"));
        }
        return RunOptions.of(RunOptions.DEFAULT_KERNEL, program(configuration))
                .withVms(MachineGroup.spec("vm0", configuration.backendKeys()))
                .withArguments(arguments.toArray(String[]::new))
                .withHardware(
                        GuestHardware.DEFAULT.withAccelerator(accelerator).pinnedTo(split.guests()))
                .withTimeout(PROGRAM_LIMIT);
    }

    private static String program(AccessConfiguration configuration) {
        return configuration.isInC() ? RunOptions.CUDA : RunOptions.WORKLOAD;
    }

    @Override
    public void prepare(List<AccessConfiguration> configurations) {
        for (AccessConfiguration each : configurations) {
            String program = program(each);
            if (!prepared.contains(program)) {
                prepare(program);
                prepared.add(program);
            }
        }
    }

    private void prepare(String program) {
        try {
            files.prepareFor(
                    List.of(program), List.of("--kernel", RunOptions.DEFAULT_KERNEL), progress);
        } catch (GuestSetupException e) {
            throw new GuestLostException("set-up of the machines: " + e.getMessage());
        }
    }
}
