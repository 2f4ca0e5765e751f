package io.gpuvm.daemon;

import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.agent.AgentThread;
import io.gpuvm.remote.link.ClusterSeal;
import io.gpuvm.remote.link.Credentials;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.TlsTasks;
import io.gpuvm.remote.session.Gateway;
import io.gpuvm.remote.session.VirtualMachines;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Service of programs on other hosts: the gateway to the sockets of a backend's virtual machines,
/// and its threads.
public final class NetworkService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NetworkService.class);
    private static final Duration JOIN_LIMIT = Duration.ofSeconds(10);

    /// Time for which the thread polls without sleeping after an event, while sessions exist.
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(20);

    private final TlsTasks tasks;
    private final Gateway gateway;
    private final AgentThread thread;

    private NetworkService(TlsTasks tasks, Gateway gateway, AgentThread thread) {
        this.tasks = tasks;
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
            AgentThread thread =
                    new AgentThread(
                            gateway,
                            gateway.parking(),
                            () -> gateway.hasSessions() ? SPIN_NS : 0,
                            error ->
                                    LOG.error(
                                            "{} is no longer served: internal error",
                                            address,
                                            error));
            thread.start();
            LOG.info("programs on other hosts: {}, port {}", address, gateway.port());
            return new NetworkService(tasks, gateway, thread);
        } catch (IllegalArgumentException | LinuxException e) {
            if (tasks != null) {
                tasks.close();
            }
            throw new ConfigException("--listen %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    /// Returns the port on which the service listens.
    public int port() {
        return gateway.port();
    }

    /// Ends all sessions of other hosts.
    @Override
    public void close() {
        if (!thread.end(JOIN_LIMIT)) {
            LOG.error("the thread of the network did not stop");
        }
        if (tasks != null) {
            tasks.close();
        }
    }
}
