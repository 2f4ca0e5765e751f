package io.gpuvm.owner;

import io.gpuvm.port.GpuRequests;
import java.util.concurrent.CompletableFuture;

/// Result of attaching a virtual machine to the owner of the GPU.
///
/// @param requests first session's port to the owner; requests are executed after the attachment
/// @param done completed when the virtual machine is attached; exceptionally, with an
///   [IllegalStateException], if the GPU lacks channels for it
public record Attachment(GpuRequests requests, CompletableFuture<Void> done) {}
