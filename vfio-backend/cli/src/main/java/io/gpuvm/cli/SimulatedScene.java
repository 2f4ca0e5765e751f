package io.gpuvm.cli;

import io.gpuvm.sched.policy.TimeShare;
import java.util.List;

/// Who takes part in a simulation, and which part of it counts.
///
/// @param names of the virtual machines, in their order, as in all lists
/// @param does what each does, for readers
/// @param fromNs in virtual time, where what is measured begins
/// @param toNs where it ends
record SimulatedScene(
        List<String> names, List<String> does, List<TimeShare> shares, long fromNs, long toNs) {}
