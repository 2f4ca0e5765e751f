package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.ring.SharedArea;

/// Collaborators of a session's front end.
///
/// @param vm name of the virtual machine, for messages; front ends of one virtual machine have
///   equal names, those of different virtual machines have different names
/// @param area area that is shared with the client
/// @param wakeClient wakes the client if it sleeps; called after entries or words have been
///   written, on the poller's thread
/// @param gpu GPU of the session
/// @param limits limits of the GPU for the session
/// @param wakePoller makes the poller call the front end; any thread
public record FrontEndParts(
        String vm,
        SharedArea area,
        Runnable wakeClient,
        SessionGpu gpu,
        GpuLimits limits,
        Runnable wakePoller) {}
