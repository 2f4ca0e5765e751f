package io.gpuvm.cuda.service.gpu;

import io.gpuvm.pv.host.FrontEndParts;

/// Source of the transports of a session's contexts. All transports map the data area at the same
/// GPU address. Confined to the poller's thread.
public final class OwnerTransports implements ContextTransport.Supplier {
    /// @param parts parts of the session
    /// @param dataAddress GPU address of the data area, a multiple of 128 KiB
    public OwnerTransports(FrontEndParts parts, long dataAddress) {}

    /// Opens a transport for another context. Its addresses lie outside of the data area and, after
    /// `reserve`, outside of the client's range of addresses.
    ///
    /// @throws io.gpuvm.pv.transport.TransportException if a quota is used up
    @Override
    public ContextTransport open() {
        throw new UnsupportedOperationException();
    }
}
