package io.gpuvm.sched;

/// Commands of one virtual machine that wait for one engine. The sessions of the virtual machine
/// take turns, one command each; the commands of a session keep the order of their arrival.
///
/// Positions in the order of arrival of all virtual machines' commands belong to the virtual
/// machine and not to a command: a command that is removed out of order leaves its position to an
/// earlier command. Turns of the sessions therefore do not change the order of virtual machines.
///
/// Bounded; does not allocate after construction. Confined to the scheduler's thread.
final class VirtualCommandQueue {
    private final long[] tokens;
    private final int[] sessions;
    private final long[] sequences;

    /// Number of waiting commands of each session.
    private final int[] perSession = new int[GpuScheduler.MOST_SESSIONS];

    /// Sessions with waiting commands, one bit each.
    private long waiting;

    /// Session of the command that was taken last.
    private int lastSession = GpuScheduler.MOST_SESSIONS - 1;

    private int head;
    private int size;

    /// @param limit largest number of waiting commands
    VirtualCommandQueue(int limit) {
        tokens = new long[limit];
        sessions = new int[limit];
        sequences = new long[limit];
    }

    /// Returns the number of waiting commands.
    int size() {
        return size;
    }

    /// Returns the first position in the order of arrival of all virtual machines' commands.
    ///
    /// @throws IllegalStateException if no command waits
    long headSequence() {
        checkNotEmpty();
        return sequences[head];
    }

    /// Returns the next command: the oldest of the session whose turn it is.
    ///
    /// @throws IllegalStateException if no command waits
    long first() {
        checkNotEmpty();
        return tokens[slot(next())];
    }

    /// @param session number of the session, less than [GpuScheduler#MOST_SESSIONS]
    /// @return false if the queue is full
    boolean offer(int session, long token, long sequence) {
        if (size == tokens.length) {
            return false;
        }
        int slot = slot(size);
        tokens[slot] = token;
        sessions[slot] = session;
        sequences[slot] = sequence;
        size++;
        perSession[session]++;
        waiting |= 1L << session;
        return true;
    }

    /// Removes and returns the next command.
    ///
    /// @throws IllegalStateException if no command waits
    long poll() {
        checkNotEmpty();
        int at = next();
        long token = tokens[slot(at)];
        lastSession = sessions[slot(at)];
        count(lastSession);
        for (int i = at; i > 0; i--) {
            tokens[slot(i)] = tokens[slot(i - 1)];
            sessions[slot(i)] = sessions[slot(i - 1)];
        }
        head = slot(1);
        size--;
        return token;
    }

    /// Removes a command from any position in the queue; the other commands keep their order.
    ///
    /// @return whether the command was queued
    boolean remove(long token) {
        int at = 0;
        while (at < size && tokens[slot(at)] != token) {
            at++;
        }
        if (at == size) {
            return false;
        }
        count(sessions[slot(at)]);
        for (; at + 1 < size; at++) {
            tokens[slot(at)] = tokens[slot(at + 1)];
            sessions[slot(at)] = sessions[slot(at + 1)];
            sequences[slot(at)] = sequences[slot(at + 1)];
        }
        size--;
        return true;
    }

    void clear() {
        while (size > 0) {
            size--;
            count(sessions[slot(size)]);
        }
    }

    /// Returns the position in the queue of the next command.
    private int next() {
        int session = nextSession();
        int at = 0;
        while (sessions[slot(at)] != session) {
            at++;
        }
        return at;
    }

    /// Returns the session whose turn it is: the next one after the last with a waiting command.
    private int nextSession() {
        long later = waiting & -2L << lastSession;
        return Long.numberOfTrailingZeros(later != 0 ? later : waiting);
    }

    /// Counts a removed command of a session.
    private void count(int session) {
        perSession[session]--;
        if (perSession[session] == 0) {
            waiting &= ~(1L << session);
        }
    }

    private int slot(int position) {
        return (head + position) % tokens.length;
    }

    private void checkNotEmpty() {
        if (size == 0) {
            throw new IllegalStateException("queue is empty");
        }
    }
}
