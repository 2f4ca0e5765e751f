package io.gpuvm.cli;

import io.gpuvm.sched.policy.TimeShare;
import java.util.List;

/// Participants of a simulation, and the measured interval.
///
/// @param names names of the virtual machines, in the order of all lists
/// @param does description of each virtual machine's load
/// @param fromNs start of the measured interval, in virtual time
/// @param toNs end of the measured interval
record SimulatedScene(
        List<String> names, List<String> does, List<TimeShare> shares, long fromNs, long toNs) {}
