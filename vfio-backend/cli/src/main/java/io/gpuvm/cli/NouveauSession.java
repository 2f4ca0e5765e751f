package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.nouveau.NouveauTransport;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.TransportException;
import java.nio.file.Path;
import java.util.Map;

/// Use of a GPU through the kernel's driver, nouveau.
final class NouveauSession implements GpuSession {
    private final NouveauTransport transport;
    private final GpuContext context;

    private NouveauSession(NouveauTransport transport) {
        this.transport = transport;
        context = GpuContext.open(transport);
    }

    /// @param device path of a DRM device; empty for the first render node of nouveau
    /// @throws ConfigException if the device cannot be used
    static NouveauSession open(String device) {
        NouveauTransport transport;
        try {
            transport =
                    device.isEmpty()
                            ? NouveauTransport.open()
                            : NouveauTransport.open(Path.of(device));
        } catch (TransportException e) {
            throw new ConfigException("--nouveau: " + e.getMessage(), e);
        }
        return new NouveauSession(transport);
    }

    @Override
    public String access() {
        return "nouveau";
    }

    @Override
    public GpuContext context() {
        return context;
    }

    /// Returns no counters: a program cannot read them through nouveau.
    @Override
    public Map<String, Map<String, Long>> counted() {
        return Map.of();
    }

    @Override
    public void abort() {
        transport.close();
    }

    @Override
    public void close() {
        context.close();
    }
}
