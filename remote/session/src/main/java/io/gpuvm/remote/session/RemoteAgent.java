package io.gpuvm.remote.session;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.linux.agent.EventWait;
import io.gpuvm.linux.agent.Parking;
import io.gpuvm.linux.agent.ParkingAgent;
import io.gpuvm.linux.agent.Pause;
import io.gpuvm.remote.link.LinkDialer;
import io.gpuvm.remote.link.LinkLoop;
import io.gpuvm.remote.link.LinkOptions;
import io.gpuvm.remote.link.TlsTasks;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Agent beside programs: accepts them on a socket like that of a backend, and opens a session with
/// the backend on another host for each.
///
/// An agent that starts no thread; its thread sleeps at [#parking()].
public final class RemoteAgent implements ParkingAgent {
    /// Maximum number of programs at the same time. Others wait to be accepted.
    public static final int MOST_PROGRAMS = 64;

    private static final Logger LOG = LoggerFactory.getLogger(RemoteAgent.class);

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int LISTENER = 0;
    private static final int LINKS = 1;
    private static final int FIRST_SESSION = 2;

    private final UnixListener listener;
    private final LinkDialer dialer;
    private final LinkLoop links;
    private final EventWait events =
            new EventWait(FIRST_SESSION + MOST_PROGRAMS * ProgramSession.SLOTS);
    private final Parking parking = new Parking(events);
    private final ProgramSession[] sessions = new ProgramSession[MOST_PROGRAMS];
    private final Pause acceptPause = new Pause(PAUSE_NS);

    /// Number of programs that have connected.
    private int programs;

    /// @param listener socket for programs, owned by the agent from now on
    /// @param tasks thread for handshakes, or null without TLS; owned by the caller
    public RemoteAgent(
            UnixListener listener, LinkDialer dialer, LinkOptions options, TlsTasks tasks) {
        this.listener = listener;
        this.dialer = dialer;
        links = new LinkLoop(options, tasks, parking::wake);
        events.set(LINKS, links.descriptor());
    }

    /// Returns the parking of the agent's thread.
    public Parking parking() {
        return parking;
    }

    /// Returns whether a program is connected. Agent's thread.
    public boolean hasPrograms() {
        for (ProgramSession session : sessions) {
            if (session != null) {
                return true;
            }
        }
        return false;
    }

    @Override
    public int doWork() {
        long nowNs = System.nanoTime();
        int work = links.doWork(nowNs);
        boolean mayAccept = !acceptPause.lasts(nowNs);
        for (int i = 0; i < MOST_PROGRAMS; i++) {
            if (sessions[i] == null && mayAccept) {
                sessions[i] = accept(nowNs);
                mayAccept = sessions[i] != null;
                work += mayAccept ? 1 : 0;
            }
            if (sessions[i] != null) {
                work += sessions[i].doWork(nowNs);
                removeEnded(i);
            }
        }
        return work;
    }

    private ProgramSession accept(long nowNs) {
        try {
            FdSocket program = listener.accept();
            if (program == null) {
                return null;
            }
            programs++;
            return new ProgramSession(
                    program, programs, (request, now) -> dialer.dial(links, request, now), nowNs);
        } catch (LinuxException e) {
            LOG.warn("{}: programs are not accepted: {}", listener.path(), e.getMessage());
            acceptPause.begin(nowNs);
            return null;
        }
    }

    private void removeEnded(int i) {
        if (sessions[i].hasEnded()) {
            unwatch(i);
            sessions[i].close();
            sessions[i] = null;
        }
    }

    @Override
    public boolean mayPark() {
        for (ProgramSession session : sessions) {
            if (session != null) {
                session.announce();
            }
        }
        if (doWork() > 0) {
            return false;
        }
        boolean isFull = true;
        for (int i = 0; i < MOST_PROGRAMS; i++) {
            isFull &= sessions[i] != null;
            if (sessions[i] != null) {
                sessions[i].watch(events, firstSlot(i));
            }
        }
        boolean accepts = !isFull && !acceptPause.lasts(System.nanoTime());
        events.set(LISTENER, accepts ? listener.descriptor() : Poller.NONE);
        return true;
    }

    @Override
    public long nanosUntilWork() {
        long nowNs = System.nanoTime();
        long nanos = Math.min(links.nanosUntilWork(nowNs), acceptPause.nanosLeft(nowNs));
        for (ProgramSession session : sessions) {
            if (session != null) {
                nanos = Math.min(nanos, session.nanosUntilWork(nowNs));
            }
        }
        return nanos;
    }

    @Override
    public void onAwake(boolean slept) {
        for (int i = 0; i < MOST_PROGRAMS; i++) {
            if (sessions[i] != null) {
                sessions[i].withdraw();
                if (slept) {
                    sessions[i].takeSignals(events, firstSlot(i));
                }
            }
        }
    }

    @Override
    public String roleName() {
        return "gpuvm-connect";
    }

    /// Ends all sessions, and removes the socket.
    @Override
    public void onClose() {
        for (int i = 0; i < MOST_PROGRAMS; i++) {
            if (sessions[i] != null) {
                unwatch(i);
                sessions[i].close();
                sessions[i] = null;
            }
        }
        // Sends the ends of the sessions.
        links.doWork(System.nanoTime());
        events.set(LINKS, Poller.NONE);
        links.close();
        listener.close();
        events.close();
    }

    private static int firstSlot(int session) {
        return FIRST_SESSION + session * ProgramSession.SLOTS;
    }

    private void unwatch(int session) {
        for (int slot = 0; slot < ProgramSession.SLOTS; slot++) {
            events.set(firstSlot(session) + slot, Poller.NONE);
        }
    }
}
