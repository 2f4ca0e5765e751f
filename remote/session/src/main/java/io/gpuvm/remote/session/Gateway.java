package io.gpuvm.remote.session;

import io.gpuvm.linux.Poller;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.logging.LogLimit;
import io.gpuvm.pv.transport.TransportException;
import io.gpuvm.remote.link.ClusterSeal;
import io.gpuvm.remote.link.Credentials;
import io.gpuvm.remote.link.Link;
import io.gpuvm.remote.link.LinkAddress;
import io.gpuvm.remote.link.LinkHandler;
import io.gpuvm.remote.link.LinkListener;
import io.gpuvm.remote.link.LinkLoop;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.TlsTasks;
import java.nio.file.Path;

/// Gateway beside a backend: accepts sessions of programs on other hosts, and makes each a guest of
/// the virtual machine that the client's certificate or credential names.
///
/// An agent that starts no thread; its thread sleeps at [#parking()].
public final class Gateway implements ParkingAgent {
    /// Maximum number of sessions of all virtual machines.
    public static final int MOST_SESSIONS = 512;

    /// Maximum number of sessions of one virtual machine, with those that are being established:
    /// twice the greatest `sessions=`. Agents of one virtual machine cannot occupy all sessions.
    static final int MOST_SESSIONS_OF_VM = 128;

    /// Maximum number of log lines that peers may cause in a burst.
    private static final int MOST_LINES = 20;

    private static final int LINKS = 0;
    private static final int FIRST_SESSION = 1;

    private final VirtualMachines vms;
    private final LinkLoop links;
    private final LinkListener listener;
    private final EventWait events = new EventWait(FIRST_SESSION + MOST_SESSIONS);
    private final Parking parking = new Parking(events);
    private final GatewaySession[] sessions = new GatewaySession[MOST_SESSIONS];
    private final LogLimit lines = LogLimit.perMinute(MOST_LINES, System::nanoTime);

    /// Number of slots up to the last that was ever used.
    private int slots;

    /// @param credentials certificates of the backend; null without TLS
    /// @param seal seal of the cluster, whose credentials may replace certificates of clients; null
    ///   for none, and without TLS
    /// @param tasks thread for handshakes, or null without TLS; owned by the caller
    /// @throws IllegalArgumentException if the address cannot be resolved, or lacks TLS and is not
    ///   a loopback address
    /// @throws io.gpuvm.linux.LinuxException if the address cannot be used
    public Gateway(
            LinkAddress address,
            Credentials credentials,
            ClusterSeal seal,
            VirtualMachines vms,
            LinkOptions options,
            TlsTasks tasks) {
        this.vms = vms;
        links = new LinkLoop(options, tasks, parking::wake);
        LinkListener created;
        try {
            created = LinkListener.listen(links, address, credentials, seal, new Requests());
        } catch (RuntimeException | Error e) {
            links.close();
            events.close();
            throw e;
        }
        listener = created;
        events.set(LINKS, links.descriptor());
    }

    /// Returns the port on which the gateway listens.
    public int port() {
        return listener.port();
    }

    /// Returns the parking of the gateway's thread.
    public Parking parking() {
        return parking;
    }

    /// Returns whether a session exists. Gateway's thread.
    public boolean hasSessions() {
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                return true;
            }
        }
        return false;
    }

    /// Requests for sessions.
    private final class Requests implements LinkHandler {
        @Override
        public int userOf(String name) {
            return vms.userOf(name);
        }

        @Override
        public Decision decide(String name, byte[] request) {
            if (SessionRequest.read(request) == null) {
                return Decision.refuse("expected the Hello of a program");
            }
            if (vms.socketOf(name) == null) {
                return Decision.refuse("no virtual machine " + name);
            }
            int sessionsOfVm = sessionsOf(name);
            if (sessionsOfVm >= MOST_SESSIONS_OF_VM) {
                return Decision.refuse(
                        "sessions of %s=%d, limit=%d"
                                .formatted(name, sessionsOfVm + 1, MOST_SESSIONS_OF_VM));
            }
            return freeSlot() < 0
                    ? Decision.refuse(
                            "sessions=%d, limit=%d".formatted(MOST_SESSIONS + 1, MOST_SESSIONS))
                    : Decision.accept(new byte[0]);
        }

        @Override
        public void onLink(Link link, byte[] request) {
            int slot = freeSlot();
            slots = Math.max(slots, slot + 1);
            sessions[slot] =
                    new GatewaySession(
                            link, SessionRequest.read(request), Gateway.this::socketOf, lines);
        }
    }

    /// Returns the socket of a virtual machine.
    ///
    /// @throws TransportException if there is no such virtual machine
    private Path socketOf(String name) {
        Path socket = vms.socketOf(name);
        if (socket == null) {
            throw new TransportException("no virtual machine " + name);
        }
        return socket;
    }

    private int sessionsOf(String name) {
        int count = 0;
        for (int i = 0; i < slots; i++) {
            count += sessions[i] != null && sessions[i].isOf(name) ? 1 : 0;
        }
        return count;
    }

    private int freeSlot() {
        for (int i = 0; i < MOST_SESSIONS; i++) {
            if (sessions[i] == null) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int doWork() {
        long nowNs = System.nanoTime();
        int work = links.doWork(nowNs);
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                work += sessions[i].doWork(nowNs);
                if (sessions[i].hasEnded()) {
                    remove(i);
                }
            }
        }
        return work;
    }

    private void remove(int i) {
        events.set(FIRST_SESSION + i, Poller.NONE);
        sessions[i].close();
        sessions[i] = null;
    }

    @Override
    public boolean mayPark() {
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                sessions[i].announce();
            }
        }
        if (doWork() > 0) {
            return false;
        }
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                sessions[i].watch(events, FIRST_SESSION + i);
            }
        }
        return true;
    }

    @Override
    public long nanosUntilWork() {
        long nowNs = System.nanoTime();
        long nanos = links.nanosUntilWork(nowNs);
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                nanos = Math.min(nanos, sessions[i].nanosUntilWork(nowNs));
            }
        }
        return nanos;
    }

    @Override
    public void onAwake(boolean slept) {
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                sessions[i].withdraw();
                if (slept) {
                    sessions[i].takeSignals(events, FIRST_SESSION + i);
                }
            }
        }
    }

    @Override
    public String roleName() {
        return "gpuvm-net";
    }

    /// Ends all sessions.
    @Override
    public void onClose() {
        for (int i = 0; i < slots; i++) {
            if (sessions[i] != null) {
                remove(i);
            }
        }
        links.doWork(System.nanoTime());
        events.set(LINKS, Poller.NONE);
        links.close();
        events.close();
    }
}
