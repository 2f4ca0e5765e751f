package io.gpuvm.remote.link;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Relay between an agent and a backend whose connections fail as a seed determines: after a random
/// number of bytes, by a reset, an orderly end, or silence. Runs on the test's thread.
final class FaultyRelay implements AutoCloseable {
    /// Kinds of failures.
    enum Fault {
        NONE,
        /// Both ends see a reset.
        RESET,
        /// Both ends see the end of the stream.
        END,
        /// No more bytes pass, and neither end sees anything.
        SILENCE,
        /// No more bytes pass, and only the agent sees a reset, so that the backend's end is half
        /// open.
        HALF_OPEN
    }

    /// Faults of connections; those that cost no time are more frequent.
    private static final List<Fault> FAULTS =
            List.of(
                    Fault.RESET,
                    Fault.RESET,
                    Fault.RESET,
                    Fault.END,
                    Fault.END,
                    Fault.END,
                    Fault.SILENCE,
                    Fault.HALF_OPEN);

    private static final int BUFFER_BYTES = 64 * 1024;

    /// Number of bytes after which a connection fails at most: a random power of 2 between these
    /// powers, so that many connections fail in their handshake, and others make progress.
    private static final int FEWEST_BITS = 6;

    private static final int MOST_BITS = 22;

    private final class Pipe {
        final SocketChannel from;
        final SocketChannel to;
        final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).flip();

        Pipe(SocketChannel from, SocketChannel to) {
            this.from = from;
            this.to = to;
        }

        /// Passes at most a number of bytes.
        ///
        /// @return number of bytes, -1 at the end of the stream
        long pass(long most) throws IOException {
            if (!buffer.hasRemaining()) {
                buffer.clear();
                int got = from.read(buffer);
                buffer.flip();
                if (got < 0) {
                    return -1;
                }
            }
            int limit = buffer.limit();
            buffer.limit((int) Math.min(limit, buffer.position() + most));
            int done = to.write(buffer);
            buffer.limit(limit);
            return done;
        }
    }

    private final class Relayed {
        final SocketChannel agent;
        final SocketChannel backend;
        final Pipe up;
        final Pipe down;
        final Fault fault;
        long left;
        boolean silent;

        Relayed(SocketChannel agent, Fault fault, long left) throws IOException {
            this.agent = agent;
            this.fault = fault;
            this.left = left;
            backend = SocketChannel.open(target);
            agent.configureBlocking(false);
            backend.configureBlocking(false);
            agent.setOption(StandardSocketOptions.TCP_NODELAY, true);
            backend.setOption(StandardSocketOptions.TCP_NODELAY, true);
            up = new Pipe(agent, backend);
            down = new Pipe(backend, agent);
        }

        /// @return false if the connection has ended
        boolean work() {
            if (silent) {
                return true;
            }
            try {
                for (Pipe pipe : List.of(up, down)) {
                    long done = pipe.pass(fault == Fault.NONE ? Long.MAX_VALUE / 2 : left);
                    if (done < 0) {
                        close(false);
                        return false;
                    }
                    left -= done;
                    bytes += done;
                }
                return fault == Fault.NONE || left > 0 || fail();
            } catch (IOException _) {
                close(true);
                return false;
            }
        }

        private boolean fail() throws IOException {
            faults++;
            switch (fault) {
                case RESET -> close(true);
                case END -> close(false);
                case HALF_OPEN -> {
                    agent.setOption(StandardSocketOptions.SO_LINGER, 0);
                    agent.close();
                    silent = true;
                }
                default -> silent = true;
            }
            return silent;
        }

        void close(boolean reset) {
            try {
                if (reset) {
                    agent.setOption(StandardSocketOptions.SO_LINGER, 0);
                    backend.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
                agent.close();
                backend.close();
            } catch (IOException _) {
                // The test sees what both ends do.
            }
        }
    }

    private final ServerSocketChannel listener;
    private InetSocketAddress target;
    private final Random random;
    private final List<Relayed> all = new ArrayList<>();
    private boolean accepting = true;
    private boolean faulty = true;
    private int faults;
    private long bytes;

    FaultyRelay(int port, long seed) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        random = new Random(seed);
        try {
            listener = ServerSocketChannel.open();
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            listener.configureBlocking(false);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listener.socket().getLocalPort();
    }

    /// Returns the number of failures so far.
    int faults() {
        return faults;
    }

    /// Returns the number of bytes that have passed.
    long bytes() {
        return bytes;
    }

    /// Relays later connections to another backend.
    void setTarget(int port) {
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /// Sets whether later connections are relayed; if not, they stay silent.
    void setAccepting(boolean now) {
        accepting = now;
    }

    /// Sets whether later connections fail.
    void setFaulty(boolean now) {
        faulty = now;
    }

    /// Ends or silences all present connections.
    void failAll(Fault how) {
        for (Relayed one : all) {
            faults++;
            if (how == Fault.SILENCE) {
                one.silent = true;
            } else {
                one.close(how == Fault.RESET);
            }
        }
    }

    void work() {
        try {
            SocketChannel accepted = accepting ? listener.accept() : null;
            if (accepted != null) {
                Fault fault = faulty ? FAULTS.get(random.nextInt(FAULTS.size())) : Fault.NONE;
                long after = 1 + random.nextLong(1L << random.nextInt(FEWEST_BITS, MOST_BITS));
                try {
                    all.add(new Relayed(accepted, fault, after));
                } catch (IOException _) {
                    // The backend accepts no connection.
                    accepted.close();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        all.removeIf(one -> !one.work());
    }

    @Override
    public void close() {
        accepting = false;
        all.forEach(one -> one.close(true));
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
