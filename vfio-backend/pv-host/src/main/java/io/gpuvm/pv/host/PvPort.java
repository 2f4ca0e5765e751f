package io.gpuvm.pv.host;

import io.gpuvm.port.CompletionInbox;
import io.gpuvm.port.GpuRequests;

/// Ports of one session to the owner of the GPU. They belong to one thread at a time: the poller's
/// thread while a guest is served, the reception's thread between two guests.
///
/// @param requests requests to the GPU's owner
/// @param inbox completions and events from the GPU's owner
public record PvPort(GpuRequests requests, CompletionInbox inbox) {}
