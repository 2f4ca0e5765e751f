package io.gpuvm.pv.remote;

import io.gpuvm.linux.Descriptor;
import io.gpuvm.linux.EventFd;
import io.gpuvm.linux.FdSocket;
import io.gpuvm.linux.MappedMemory;
import io.gpuvm.linux.MemFd;
import io.gpuvm.linux.Poller;
import io.gpuvm.linux.UnixListener;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelFailure;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.CompletionEntry;
import io.gpuvm.pv.protocol.GpuLimits;
import io.gpuvm.pv.protocol.Hello;
import io.gpuvm.pv.protocol.PvLimits;
import io.gpuvm.pv.protocol.SubmitCommand;
import io.gpuvm.pv.protocol.Welcome;
import io.gpuvm.pv.ring.Doorbell;
import io.gpuvm.pv.ring.RingConsumer;
import io.gpuvm.pv.ring.RingProducer;
import io.gpuvm.pv.ring.SharedArea;
import io.gpuvm.pv.ring.Sleeper;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Backend without a GPU, which accepts every request unless scripted otherwise, for tests of
/// guests with a slow, refusing or dead backend. Its thread serves one guest.
final class ScriptedBackend implements AutoCloseable {
    static final long DATA_BYTES = 1 << 20;
    static final long VRAM_BYTES = 1 << 20;
    static final String GPU = "scripted GPU";
    private static final int CHANNELS = 4;
    private static final int SUBMISSIONS = 16;
    private static final int COMPLETIONS = 16;
    private static final long LOOK_AGAIN_NS = 5_000_000;

    private final MemFd memory;
    private final MappedMemory mapping;
    private final SharedArea area;
    private final EventFd hostWake = EventFd.create();
    private final EventFd guestWake = EventFd.create();
    private final Doorbell doorbell;
    private final RingProducer completions;
    private final UnixListener listener;
    private final Thread thread;
    private final Map<CommandOpcode, CommandStatus> refusals = new EnumMap<>(CommandOpcode.class);
    private final List<CommandOpcode> taken = new ArrayList<>();
    private final AtomicInteger wakings = new AtomicInteger();
    private final AtomicLong signals = new AtomicLong();
    private volatile String refusal;
    private volatile boolean silent;
    private volatile boolean deaf;
    private volatile boolean hangsUp;
    private volatile boolean running = true;
    private int news;
    private int submissions;
    private int mostCommandsAtOnce;
    private long lastPut = -1;
    private int handles;
    private int channels;

    ScriptedBackend(Path socket) {
        AreaLayout layout = AreaLayout.of(CHANNELS, SUBMISSIONS, COMPLETIONS, DATA_BYTES);
        memory = MemFd.create("scripted", layout.bytes());
        mapping =
                MappedMemory.map(
                        memory.descriptor(), 0, layout.bytes(), MappedMemory.Access.READ_WRITE);
        GpuLimits gpu = new GpuLimits(GPU, VRAM_BYTES, CHANNELS, 14, 2);
        PvLimits limits = new PvLimits(gpu, 64, 4, 4096, 64, 16);
        area = SharedArea.create(mapping.segment(), layout, limits);
        doorbell = area.guestDoorbell(this::wakeGuest);
        completions = area.completionProducer();
        listener = UnixListener.listen(socket);
        thread = Thread.ofPlatform().name("scripted-backend").start(this::serve);
    }

    /// Makes the backend refuse clients.
    void refuse(String reason) {
        refusal = reason;
    }

    /// Makes the backend close the connection before it answers.
    void hangUp() {
        hangsUp = true;
    }

    /// Makes the backend refuse a command.
    synchronized void refuse(CommandOpcode opcode, CommandStatus status) {
        refusals.put(opcode, status);
    }

    /// Makes the backend read commands without answering them.
    void beSilent() {
        silent = true;
    }

    /// Sets whether the backend leaves entries in the ring.
    void beDeaf(boolean isDeaf) {
        deaf = isDeaf;
    }

    /// Ends the backend abruptly, like a killed process.
    void die() {
        running = false;
        hostWake.signal();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    synchronized void tellNews() {
        news++;
        area.news(news);
        doorbell.ring();
    }

    void failChannel(int channel, ChannelFailure.Kind kind, String text) {
        area.channel(channel).fail(ChannelSlot.DEAD, new ChannelFailure(kind, text));
    }

    void readRing(int channel, int get) {
        area.channel(channel).get(get);
    }

    synchronized int submissions() {
        return submissions;
    }

    synchronized long lastPut() {
        return lastPut;
    }

    /// Returns the number of times that the guest was woken.
    int wakings() {
        return wakings.get();
    }

    /// Returns the number of signals from the guest that this side has read.
    long signals() {
        return signals.get();
    }

    /// Returns the maximum number of commands that were in the ring before the first of them was
    /// answered.
    synchronized int mostCommandsAtOnce() {
        return mostCommandsAtOnce;
    }

    synchronized List<CommandOpcode> taken() {
        return List.copyOf(taken);
    }

    /// Returns the guest's own memory, as mapped on this side.
    MemorySegment data() {
        return area.data();
    }

    @Override
    public void close() {
        die();
        listener.close();
        mapping.close();
        memory.close();
        hostWake.close();
        guestWake.close();
    }

    private void wakeGuest() {
        wakings.incrementAndGet();
        guestWake.signal();
    }

    private void serve() {
        try (Poller poller = new Poller(2);
                FdSocket guest = accept(poller)) {
            if (guest != null) {
                serve(guest, poller);
            }
        }
    }

    private FdSocket accept(Poller poller) {
        poller.set(0, listener.descriptor());
        poller.set(1, hostWake.descriptor());
        FdSocket guest = null;
        while (guest == null && running) {
            poller.poll(Poller.FOREVER);
            guest = listener.accept();
        }
        return guest;
    }

    private void serve(FdSocket guest, Poller poller) {
        if (hangsUp || !greet(guest)) {
            return;
        }
        RingConsumer commands = area.submissionConsumer();
        Sleeper sleeper = area.hostSleeper();
        while (running) {
            sleeper.announce();
            if (deaf || !serve(commands)) {
                poller.poll(LOOK_AGAIN_NS);
            }
            // An eventfd counts its signals.
            signals.addAndGet(hostWake.drain());
            sleeper.withdraw();
        }
    }

    private boolean greet(FdSocket guest) {
        try (Arena arena = Arena.ofConfined();
                Poller poller = new Poller(1)) {
            MemorySegment hello = arena.allocate(Hello.BYTES, Long.BYTES);
            List<Descriptor> none = new ArrayList<>();
            poller.set(0, guest.descriptor());
            poller.poll(Poller.FOREVER);
            guest.receive(hello, 0, Hello.BYTES, none);
            MemorySegment message = arena.allocate(Welcome.BYTES, Long.BYTES);
            if (refusal != null) {
                Welcome.refused(refusal).write(message);
                guest.send(message, 0, Welcome.BYTES);
                return false;
            }
            Welcome.to(area.layout().bytes()).write(message);
            guest.send(
                    message,
                    0,
                    Welcome.BYTES,
                    memory.descriptor(),
                    hostWake.descriptor(),
                    guestWake.descriptor());
            return true;
        }
    }

    /// Reads all queued commands, then answers them. A guest that waits for each answer therefore
    /// has at most one command in each batch: see [#mostCommandsAtOnce()].
    ///
    /// @return whether a command was read
    private synchronized boolean serve(RingConsumer commands) {
        CommandEntry entry = new CommandEntry().wrap(commands.entry(), 0);
        List<Runnable> answers = new ArrayList<>();
        int count = 0;
        while (commands.poll()) {
            count++;
            CommandOpcode opcode = CommandOpcode.of(entry.opcode());
            CommandStatus status = refusals.getOrDefault(opcode, CommandStatus.OK);
            if (opcode == CommandOpcode.SUBMIT) {
                SubmitCommand submit = new SubmitCommand().wrap(commands.entry(), 0);
                lastPut = submit.put();
                submissions++;
            } else {
                taken.add(opcode);
            }
            if (!silent && !(entry.isQuiet() && status == CommandStatus.OK)) {
                long correlation = entry.correlation();
                long result = resultOf(opcode);
                answers.add(() -> answer(correlation, status, result));
            }
        }
        commands.release();
        mostCommandsAtOnce = Math.max(mostCommandsAtOnce, count);
        answers.forEach(Runnable::run);
        return count > 0;
    }

    private long resultOf(CommandOpcode opcode) {
        return switch (opcode) {
            case SPACE_CREATE, VRAM_ALLOC -> ++handles;
            case CHANNEL_CREATE -> {
                area.channel(channels).open();
                yield channels++;
            }
            default -> 0;
        };
    }

    private void answer(long correlation, CommandStatus status, long result) {
        long at = completions.claim();
        while (at == RingProducer.FULL) {
            Thread.onSpinWait();
            at = completions.claim();
        }
        new CompletionEntry().wrap(completions.memory(), at).set(correlation, 0, result);
        completions.publish(CompletionEntry.tag(status));
        doorbell.ring();
    }
}
