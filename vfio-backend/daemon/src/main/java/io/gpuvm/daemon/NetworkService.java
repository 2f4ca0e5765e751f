package io.gpuvm.daemon;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.remote.link.ClusterSeal;
import io.gpuvm.remote.link.Credentials;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.TlsTasks;
import io.gpuvm.remote.session.Gateway;
import io.gpuvm.remote.session.VirtualMachines;
import java.nio.file.Path;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Service of programs on other hosts: the gateway to the sockets of a backend's virtual machines,
/// and its threads.
public final class NetworkService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkService.class);

    private final LinkAddress address;
    private final Gateway gateway;
    private final NetworkThread thread;

    private NetworkService(LinkAddress address, Gateway gateway, NetworkThread thread) {
        this.address = address;
        this.gateway = gateway;
        this.thread = thread;
    }

    /// Starts to listen.
    ///
    /// @param certificates folder of the backend's certificates; null without TLS
    /// @param seal seal of the cluster, whose credentials may replace certificates of clients; null
    ///   for none
    /// @param grace time within which a broken connection must resume
    /// @param vms paravirtual virtual machines
    /// @throws ConfigException if the address or the certificates cannot be used
    public static NetworkService start(
            LinkAddress address,
            Path certificates,
            ClusterSeal seal,
            Duration grace,
            VirtualMachines vms) {
        if (address.tls() != (certificates != null)) {
            throw new ConfigException(
                    address.tls()
                            ? "--listen %s requires --tls DIR".formatted(address)
                            : "--tls requires --listen tls:ADDRESS:PORT, not " + address);
        }
        TlsTasks tasks = null;
        try {
            Credentials credentials = certificates == null ? null : Credentials.read(certificates);
            tasks = certificates == null ? null : TlsTasks.start();
            LinkOptions options = LinkOptions.DEFAULT.withGrace(grace);
            Gateway gateway = new Gateway(address, credentials, seal, vms, options, tasks);
            NetworkThread thread =
                    NetworkThread.start(
                            gateway,
                            gateway.parking(),
                            gateway::hasSessions,
                            tasks,
                            error ->
                                    LOG.error(
                                            "{} is no longer served: internal error",
                                            address,
                                            error));
            LOG.info("programs on other hosts: {}, port {}", address, gateway.port());
            return new NetworkService(address, gateway, thread);
        } catch (IllegalArgumentException | LinuxException e) {
            if (tasks != null) {
                tasks.close();
            }
            throw new ConfigException("--listen %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    /// Returns the address on which the service listens, with the actual port.
    public LinkAddress address() {
        return new LinkAddress(address.tls(), address.host(), gateway.port());
    }

    /// Ends all sessions of other hosts.
    @Override
    public void close() {
        thread.close();
    }
}
