package io.gpuvm.daemon;

import io.gpuvm.pv.bare.NativeTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.GpuTransport;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// GPU of this host for one program in this process, without virtualization.
///
/// Opened and closed by one thread.
public final class NativeGpu implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NativeGpu.class);

    private final Object closing = new Object();
    private final HostGpu host;
    private final GpuContext context;

    /// Transport to the GPU; null until it is open.
    private volatile GpuTransport transport;

    /// True if the GPU may have been released. Guarded by [#closing].
    private boolean closed;

    /// True if the work has been aborted. Guarded by [#closing].
    private boolean aborted;

    private NativeGpu(GpuSpec spec) {
        host = HostGpu.open(spec, this::abort);
        try {
            GpuTransport opened = NativeTransport.open(host.device());
            synchronized (closing) {
                transport = opened;
                if (aborted) {
                    abort();
                }
            }
            context = GpuContext.open(opened);
        } catch (RuntimeException | Error e) {
            abort();
            host.close();
            throw e;
        }
    }

    /// Opens the GPU and creates a context on it.
    ///
    /// @throws io.gpuvm.gf100.device.GpuDeviceException if the GPU cannot be opened; the message
    ///   gives the reason
    /// @throws io.gpuvm.pv.transport.TransportException if memory is exhausted
    public static NativeGpu open(GpuSpec spec) {
        return new NativeGpu(spec);
    }

    /// Returns the only context, which [#close()] closes.
    public GpuContext context() {
        return context;
    }

    /// Returns the GPU's counters, by name. Any thread.
    public Map<String, Long> counters() {
        return host.counters();
    }

    /// Returns the number of instructions that compiled kernels handed over to the interpreter, by
    /// mnemonic. Any thread.
    public Map<String, Long> handedOver() {
        return host.handedOver();
    }

    /// Aborts all work immediately: the context's calls fail, including those in flight. Any
    /// thread.
    public void abort() {
        synchronized (closing) {
            aborted = true;
            if (transport != null && !closed) {
                try {
                    transport.close();
                } catch (RuntimeException e) {
                    LOG.error("releasing the GPU failed", e);
                }
            }
        }
    }

    /// Waits for the work in flight, and releases the GPU.
    @Override
    public void close() {
        try {
            context.close();
        } finally {
            // A thread that calls abort() at this time still needs the GPU.
            synchronized (closing) {
                closed = true;
            }
            host.close();
        }
    }
}
