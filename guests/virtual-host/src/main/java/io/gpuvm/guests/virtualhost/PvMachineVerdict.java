package io.gpuvm.guests.virtualhost;

import io.gpuvm.guests.real.GuestEvent;
import io.gpuvm.guests.real.KernelLog;
import io.gpuvm.guests.real.LogAllowList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/// Verdict on the events of a machine in which `gpuvm run` was a paravirtual guest.
///
/// @param failures all reasons for a failure
/// @param output output of `gpuvm run` and other programs
record PvMachineVerdict(List<String> failures, List<String> output) {
    /// Checks the events of a machine, in order, up to its end.
    ///
    /// @param machineFailures failures of the machine itself, which precede the others
    /// @param allowLists allow-lists by kernel series (`6.12`) and phase, which is `boot` or `run`
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
