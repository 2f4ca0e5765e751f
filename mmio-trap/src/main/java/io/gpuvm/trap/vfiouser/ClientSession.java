package io.gpuvm.trap.vfiouser;

import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.LinuxException;
import io.gpuvm.logging.LogLimit;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// State of a connected client: its socket, its messages, and the memory and eventfds that it has
/// sent. A server uses one object for all of its clients, one after another.
final class ClientSession implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClientSession.class);

    /// Failures that are logged with a stack trace, in addition to the line for the refusal.
    private enum Failure {
        DEVICE
    }

    private final VfioUserDevice device;
    private final TrapCounters counters;
    private final LogLimit lines;
    private final DmaRegions memory;
    private final IrqTable irqs;
    private final Dispatcher dispatcher;
    private final MessageTap tap;
    private final Inbox inbox;
    private final Outbox outbox;
    private final MessageHeader next = new MessageHeader();
    private final Request request = new Request();

    private FdSocket socket;
    private boolean ended;
    private boolean lastWasAnswered;

    /// @param resampleWatch see [IrqTable]
    /// @param tap observer of the client's messages; null if there is none
    ClientSession(
            VfioUserDevice device,
            TrapCounters counters,
            LogLimit lines,
            IntConsumer resampleWatch,
            MessageTap tap) {
        this.device = device;
        this.counters = counters;
        this.lines = lines;
        this.tap = tap;
        memory = new DmaRegions(device, counters, lines);
        irqs = new IrqTable(device, resampleWatch);
        dispatcher =
                tap == null
                        ? new Dispatcher(device, memory, irqs, counters)
                        : TappedDispatcher.of(device, memory, irqs, counters, tap);
        inbox = new Inbox();
        outbox = new Outbox();
    }

    /// Starts serving a client.
    void open(FdSocket client) {
        socket = client;
        ended = false;
        lastWasAnswered = false;
        device.connected();
        dispatcher.open();
        if (tap != null) {
            tap.onConnect();
        }
    }

    /// Returns whether the client has disconnected or must be disconnected.
    boolean ended() {
        return ended;
    }

    /// Returns whether the last message was answered and no message or reply is pending, so that an
    /// immediate receive call would probably find no message.
    boolean isQuiet() {
        return lastWasAnswered && inbox.bytes() == 0 && outbox.isEmpty();
    }

    /// Returns whether replies wait for space in the socket; the session receives no messages until
    /// they are sent. Replies that wait for the end of a burst are not included.
    boolean isBlocked() {
        return !outbox.isEmpty() && !memory.isUnsettled();
    }

    /// Called when the client has signalled its resample eventfd.
    void onResample() {
        irqs.onResample();
    }

    int descriptor() {
        return socket.descriptor();
    }

    /// Receives at most once and handles the received messages.
    ///
    /// @return number of messages handled
    int doWork() {
        if (isBlocked() && !flush()) {
            return 0;
        }
        int handled = handleReceived();
        if (handled == 0 && !ended) {
            if (!receive()) {
                flush();
                return 0;
            }
            handled = handleReceived();
        }
        if (!memory.isUnsettled()) {
            flush();
        }
        return handled;
    }

    /// Sends the replies that wait for more messages of the same burst.
    void flushBurst() {
        if (memory.isUnsettled()) {
            flush();
        }
    }

    /// Disconnects the client and releases its resources. If this method throws, the client is
    /// disconnected nevertheless, and a second call releases the remaining resources.
    @Override
    public void close() {
        if (socket == null) {
            return;
        }
        if (tap != null) {
            tap.onDisconnect();
        }
        dispatcher.clear();
        request.closeDescriptors();
        inbox.clear();
        outbox.clear();
        try {
            irqs.clear();
        } finally {
            try {
                memory.clear();
            } finally {
                socket.close();
            }
        }
        socket = null;
    }

    /// Releases the buffers; the session cannot be opened again.
    void free() {
        try {
            close();
        } finally {
            inbox.close();
            outbox.close();
        }
    }

    private boolean receive() {
        long got;
        try {
            got = inbox.receive(socket);
        } catch (LinuxException e) {
            if (lines.spend()) {
                LOG.warn("connection ends: {}", e.getMessage());
            }
            got = FdSocket.END;
        }
        if (got == FdSocket.NOTHING_YET) {
            return false;
        }
        boolean alone = inbox.acceptDescriptors();
        if (got == FdSocket.END) {
            ended = true;
        } else if (socket.truncated()) {
            end(Refusal.DESCRIPTORS_LOST, "descriptors", FdSocket.MAX_RECEIVED + 1);
        } else if (!alone) {
            end(Refusal.DESCRIPTORS_TWICE, "bytes", inbox.bytes());
        }
        return !ended;
    }

    private int handleReceived() {
        int handled = 0;
        while (!ended && inbox.bytes() >= MessageHeader.BYTES) {
            next.wrap(inbox.buffer(), inbox.start());
            long bytes = next.size();
            boolean framed = bytes >= MessageHeader.BYTES && bytes <= Limits.MESSAGE_BYTES;
            if (framed && inbox.bytes() < bytes) {
                break;
            }
            if (!outbox.isReady(Dispatcher.mayAttach(next.command())) && !flush()) {
                break;
            }
            request.wrap(inbox.buffer(), inbox.start());
            if (!framed) {
                handleUnframed(bytes);
                return handled + 1;
            }
            inbox.takeDescriptors(bytes, request.descriptors());
            handle();
            inbox.consume(bytes);
            handled++;
        }
        return handled;
    }

    private void handle() {
        counters.onMessage();
        try {
            answer();
        } finally {
            request.closeDescriptors();
        }
    }

    private void answer() {
        Reply reply = outbox.begin(request);
        int bodyBytes;
        try {
            bodyBytes = dispatcher.dispatch(request, reply);
        } catch (RuntimeException e) {
            bodyBytes = request.refuse(Refusal.DEVICE_FAILED, "command", next.command(), 0);
            if (lines.spendOnce(Failure.DEVICE)) {
                LOG.error("{} failed", request.header(), e);
            }
        }
        boolean answered = !request.header().noReply();
        if (bodyBytes == Request.REFUSED) {
            onRefusal(answered);
        } else if (answered) {
            outbox.add(bodyBytes);
        }
        lastWasAnswered = answered;
    }

    /// Refuses a message with an invalid size, after which the start of the next message is
    /// unknown.
    private void handleUnframed(long bytes) {
        counters.onMessage();
        outbox.begin(request);
        if (bytes < MessageHeader.BYTES) {
            request.refuse(Refusal.MESSAGE_TOO_SHORT, "size", bytes, MessageHeader.BYTES);
        } else {
            request.refuse(Refusal.MESSAGE_TOO_LONG, "size", bytes, Limits.MESSAGE_BYTES);
        }
        onRefusal(!request.header().noReply());
    }

    private void onRefusal(boolean answered) {
        Refusal reason = request.refusal();
        counters.onRefusal(reason);
        if (lines.spendOnce(reason)) {
            LOG.warn("{} refused: {}", request.header(), request.refusalText());
        }
        if (answered) {
            outbox.addRefusal(reason.errno());
        }
        if (reason.closes()) {
            ended = true;
            flush();
        }
    }

    /// Ends the connection for a reason other than a refused message.
    private void end(Refusal reason, String name, long value) {
        counters.onRefusal(reason);
        if (lines.spend()) {
            LOG.warn("connection ends: {} ({}={})", reason.meaning(), name, value);
        }
        ended = true;
    }

    /// Sends as many replies as the socket accepts. If the device fails to unmap memory, the
    /// connection ends, because the client must not receive a reply that confirms the unmapping.
    private boolean flush() {
        try {
            memory.settle();
            if (!outbox.isEmpty() && !outbox.send(socket)) {
                ended = true;
            }
        } catch (RuntimeException e) {
            if (lines.spend()) {
                LOG.error("connection ends because of an internal error", e);
            }
            ended = true;
        }
        return outbox.isEmpty();
    }
}
