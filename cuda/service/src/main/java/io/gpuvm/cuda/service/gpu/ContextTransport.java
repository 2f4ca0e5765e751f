package io.gpuvm.cuda.service.gpu;

import io.gpuvm.pv.transport.GpuTransport;
import io.gpuvm.pv.transport.HostMemory;

/// Transport of one context, whose address space contains the session's data area.
///
/// @param transport transport with its own address space
/// @param dataArea mapping of the data area, which ends with the transport; its address is the same
///   in all contexts of a session
public record ContextTransport(GpuTransport transport, HostMemory dataArea) {
    /// Source of a session's transports.
    @FunctionalInterface
    public interface Supplier {
        /// Opens a transport for another context.
        ///
        /// @throws io.gpuvm.pv.transport.TransportException if a quota is used up, or the GPU is
        ///   unavailable
        ContextTransport open();
    }
}
