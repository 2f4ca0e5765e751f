package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.KernelLog;
import io.gpuvm.guests.real.LogAllowList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// What the events of a machine amount to in which `gpuvm run` was a paravirtual guest.
///
/// @param failures every reason why it did not pass
/// @param output what `gpuvm run` and others said
record PvMachineVerdict(List<String> failures, List<String> output) {
    /// Judges what a machine said, in order, up to its end.
    ///
    /// @param machineFailures what went wrong with the machine itself, to begin with
    /// @param allowLists by kernel series (`6.12`) and phase, which is `boot` or `run`
    static PvMachineVerdict of(
            List<GuestEvent> events,
            List<String> machineFailures,
            BiFunction<String, String, LogAllowList> allowLists) {
        KernelLog kernelLog = new KernelLog(allowLists);
        List<String> failures = new ArrayList<>(machineFailures);
        List<String> output = new ArrayList<>();
        boolean ran = false;
        boolean finished = false;
        for (GuestEvent event : events) {
            switch (event) {
                case GuestEvent.Booted booted -> kernelLog.booted(booted.kernel());
                case GuestEvent.Log log -> kernelLog.add(log);
                case GuestEvent.Exited exited -> {
                    ran = true;
                    if (exited.status() != 0) {
                        failures.add("gpuvm run: exit status %d".formatted(exited.status()));
                    }
                }
                case GuestEvent.Finished _ -> finished = true;
                case GuestEvent.Other other -> output.add(other.line());
                default -> failures.add("unexpected: " + event);
            }
        }
        kernelLog.endPhase();
        failures.addAll(kernelLog.failures());
        if (!ran) {
            failures.add("gpuvm run did not end");
        }
        if (!finished) {
            failures.add("the machine ended before it had finished");
        }
        return new PvMachineVerdict(List.copyOf(failures), List.copyOf(output));
    }
}
