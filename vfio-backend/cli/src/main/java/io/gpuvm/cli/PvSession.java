package io.gpuvm.cli;

import io.gpuvm.daemon.ConfigException;
import io.gpuvm.pv.remote.CommandBatching;
import io.gpuvm.pv.remote.MappedFunction;
import io.gpuvm.pv.remote.PciConnection;
import io.gpuvm.pv.remote.PvTransport;
import io.gpuvm.pv.remote.SysfsFunction;
import io.gpuvm.pv.runtime.GpuContext;
import io.gpuvm.pv.transport.TransportException;
import java.nio.file.Path;
import java.util.Map;

/// Use of a GPU that a backend shares: this program is one of the backend's guests.
final class PvSession implements GpuSession {
    private final PvTransport transport;
    private final GpuContext context;

    private PvSession(PvTransport transport) {
        this.transport = transport;
        context = GpuContext.open(transport);
    }

    /// @throws ConfigException if no backend answers at the socket, or if the backend refuses the
    ///   guest
    static PvSession open(Path socket, CommandBatching batching) {
        PvTransport transport;
        try {
            transport = PvTransport.connect(socket, batching);
        } catch (TransportException e) {
            throw new ConfigException("--socket %s: %s".formatted(socket, e.getMessage()), e);
        }
        return new PvSession(transport);
    }

    /// @param address address of a PCI function; empty for the only suitable function
    /// @throws ConfigException if there is no such function, or if the backend refuses the guest
    static PvSession openFunction(String address, CommandBatching batching) {
        PvTransport transport;
        try {
            MappedFunction function =
                    address.isEmpty() ? SysfsFunction.find() : SysfsFunction.open(address);
            transport = PvTransport.open(PciConnection.open(function), batching);
        } catch (TransportException e) {
            throw new ConfigException("--pci %s: %s".formatted(address, e.getMessage()), e);
        }
        return new PvSession(transport);
    }

    @Override
    public String access() {
        return "pv";
    }

    @Override
    public GpuContext context() {
        return context;
    }

    /// Returns no counters: other guests also use the GPU.
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
