package io.gpuvm.daemon;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.PeerCredentials;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Client of the control socket: its received lines, and the answer to send. A request is executed
/// only after the answer to the previous request has been sent.
///
/// Confined to the thread of the control socket.
final class ControlClient implements AutoCloseable {
    /// Maximum length of a request with its line feed, in bytes.
    static final int MOST_BYTES = 4096;

    /// Time for which a client may be silent or leave its answer unread.
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final byte LINE_FEED = '\n';

    private final FdSocket socket;
    private final PeerCredentials peer;
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment line = arena.allocate(MOST_BYTES);
    private long lineBytes;

    /// Answer of the current request; null if there is no request.
    private CompletableFuture<String> pending;

    /// Answer to send; null if there is none.
    private MemorySegment answer;

    private Arena answerArena;
    private long sent;
    private boolean isLast;
    private long activeNs;

    /// @param peer process at the other end
    ControlClient(FdSocket socket, PeerCredentials peer, long nowNs) {
        this.socket = socket;
        this.peer = peer;
        activeNs = nowNs;
    }

    int descriptor() {
        return socket.descriptor();
    }

    /// Returns whether a part of an answer waits for space in the socket's buffer.
    boolean isSending() {
        return answer != null;
    }

    /// Returns whether the answer of the current request is not complete, so that nothing is
    /// received.
    boolean isWaiting() {
        return pending != null;
    }

    /// Returns whether the answer of the current request is complete, and has to be sent.
    boolean isAnswered() {
        return pending != null && pending.isDone();
    }

    long nanosUntilDeadline(long nowNs) {
        return pending != null ? Long.MAX_VALUE : Math.max(0, activeNs + PATIENCE_NS - nowNs);
    }

    /// Receives, answers, and sends as much as possible without blocking.
    ///
    /// @param wake makes the thread of the control socket call this method again; any thread
    /// @return false if the client must be dropped
    boolean serve(ControlService service, Runnable wake, long nowNs) {
        if (!send(nowNs) || !answer(nowNs)) {
            return false;
        }
        if (answer == null && pending == null && !receive(service, wake, nowNs)) {
            return false;
        }
        return pending != null || nowNs - activeNs < PATIENCE_NS;
    }

    /// Refuses the client, which is dropped when it has received the reason.
    ///
    /// @return false if the client must be dropped
    boolean refuse(String reason, long nowNs) {
        isLast = true;
        return answer(ControlService.refusal(reason), nowNs);
    }

    private boolean receive(ControlService service, Runnable wake, long nowNs) {
        long got = socket.receive(line, lineBytes, MOST_BYTES - lineBytes);
        if (got == FdSocket.END) {
            return false;
        }
        lineBytes += Math.max(0, got);
        boolean goesOn = true;
        for (long end = endOfLine();
                goesOn && answer == null && pending == null && end >= 0;
                end = endOfLine()) {
            pending = service.answer(takeLine(end), peer);
            if (!pending.isDone()) {
                pending.whenComplete((_, _) -> wake.run());
            }
            goesOn = answer(nowNs);
        }
        if (goesOn && answer == null && pending == null && lineBytes == MOST_BYTES) {
            return refuse("line is too long, limit=%d bytes".formatted(MOST_BYTES), nowNs);
        }
        return goesOn;
    }

    /// @return index of the line feed, -1 if there is none yet
    private long endOfLine() {
        for (long at = 0; at < lineBytes; at++) {
            if (line.get(ValueLayout.JAVA_BYTE, at) == LINE_FEED) {
                return at;
            }
        }
        return -1;
    }

    private String takeLine(long end) {
        byte[] text = line.asSlice(0, end).toArray(ValueLayout.JAVA_BYTE);
        lineBytes -= end + 1;
        MemorySegment.copy(line, end + 1, line, 0, lineBytes);
        return new String(text, StandardCharsets.UTF_8);
    }

    /// Sends the answer of the current request, if it is complete.
    ///
    /// @return false if the client must be dropped
    private boolean answer(long nowNs) {
        if (pending == null || !pending.isDone()) {
            return true;
        }
        String text = pending.resultNow();
        pending = null;
        return answer(text, nowNs);
    }

    /// @return false if the client must be dropped
    private boolean answer(String text, long nowNs) {
        byte[] bytes = (text + (char) LINE_FEED).getBytes(StandardCharsets.UTF_8);
        answerArena = Arena.ofConfined();
        answer = answerArena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
        sent = 0;
        activeNs = nowNs;
        return send(nowNs);
    }

    private boolean send(long nowNs) {
        if (answer == null) {
            return true;
        }
        long done = socket.send(answer, sent, answer.byteSize() - sent);
        if (done == FdSocket.PEER_GONE) {
            return false;
        }
        if (done > 0) {
            sent += done;
            activeNs = nowNs;
        }
        if (sent == answer.byteSize()) {
            answerArena.close();
            answer = null;
            return !isLast;
        }
        return true;
    }

    @Override
    public void close() {
        if (answer != null) {
            answerArena.close();
            answer = null;
        }
        socket.close();
        arena.close();
    }
}
