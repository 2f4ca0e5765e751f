package io.gpuvm.softgpu.fifo;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.memory.HostSpan;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.unit.Hold;
import io.gpuvm.softgpu.engine.ClassObject;
import io.gpuvm.softgpu.engine.ClassObjectParts;
import io.gpuvm.softgpu.fifo.RunState.Transition;
import io.gpuvm.softgpu.mmu.ChannelTlb;
import io.gpuvm.softgpu.mmu.VirtualMemory;

/// One channel: what the driver has set up, and how far its work has come.
///
/// Belongs to whoever holds the [Baton], except [#statusWord()], which the register thread may read
/// at any time.
final class Channel {
    /// Number of channels.
    static final int COUNT = Pfifo.CHANNELS;

    private final int id;
    private final ChannelTlb space;
    private final VirtualMemory memory;
    private final ClassObjectParts parts;
    private final Ring ring;
    private final PushBufferSegment segment = new PushBufferSegment();
    private final CommandDecoder decoder = new CommandDecoder();
    private final Subchannels subchannels = new Subchannels();

    private final HostSpan span = new HostSpan();
    private final Ramfc ramfc = new Ramfc();

    private boolean bound;
    private MemoryTarget instanceTarget;
    private long instanceAddress;
    private boolean loaded;

    /// Whose objects [#subchannels] holds: the instance block that was bound last.
    private MemoryTarget ownerTarget;

    private long ownerAddress;

    /// Set by the driver: may run.
    private boolean runnable;

    /// Is in the runlist.
    private boolean listed;

    private RunState state = RunState.IDLE;

    /// What [RunState#HELD] waits for.
    private Hold hold;

    /// Found nothing that it could run; does not look again before it is kicked.
    private boolean deaf;

    /// The object whose operation is not done.
    private ClassObject unfinished;

    /// The engine that executed the last method that was not the host's; [EngineId#SOFTWARE]
    /// before.
    private EngineId engine = EngineId.SOFTWARE;

    private long semaphoreGpuVa;
    private int semaphorePayload;
    private int reference;

    private volatile int statusWord;

    Channel(int id, ChannelTlb space, ClassObjectParts parts) {
        this.id = id;
        this.space = space;
        this.memory = parts.memory();
        this.parts = parts;
        this.ring = new Ring(space.mmu().memory());
        publishStatus();
    }

    int id() {
        return id;
    }

    ChannelTlb space() {
        return space;
    }

    VirtualMemory memory() {
        return memory;
    }

    ClassObjectParts parts() {
        return parts;
    }

    Ring ring() {
        return ring;
    }

    PushBufferSegment segment() {
        return segment;
    }

    CommandDecoder decoder() {
        return decoder;
    }

    Subchannels subchannels() {
        return subchannels;
    }

    RunState state() {
        return state;
    }

    /// What [RunState#HELD] waits for.
    Hold hold() {
        return hold;
    }

    /// Whether it is in the runlist.
    boolean isListed() {
        return listed;
    }

    void listed(boolean isIn) {
        listed = isIn;
    }

    /// Whether the driver lets it run.
    void runnable(boolean may) {
        runnable = may;
    }

    /// Whether it found nothing that it could run, and does not look again before it is kicked.
    boolean isDeaf() {
        return deaf;
    }

    void deaf(boolean foundNothing) {
        deaf = foundNothing;
    }

    /// The object whose operation is not done, null if there is none.
    ClassObject unfinished() {
        return unfinished;
    }

    void unfinished(ClassObject object) {
        unfinished = object;
    }

    /// The engine that executed the last method that was not the host's; [EngineId#SOFTWARE]
    /// before.
    EngineId engine() {
        return engine;
    }

    void moveTo(EngineId next) {
        engine = next;
    }

    /// Address of the semaphore that the next operation is about.
    long semaphoreGpuVa() {
        return semaphoreGpuVa;
    }

    void semaphoreAt(long gpuVa) {
        semaphoreGpuVa = gpuVa;
    }

    int semaphorePayload() {
        return semaphorePayload;
    }

    void semaphorePayload(int payload) {
        semaphorePayload = payload;
    }

    /// Sets its reference count.
    void reference(int count) {
        reference = count;
    }

    /// Gives the channel an instance block. Whatever was in progress is forgotten.
    void bind(MemoryTarget target, long address) {
        unbind();
        bound = true;
        instanceTarget = target;
        instanceAddress = address;
    }

    /// Takes the instance block away and forgets everything but the objects, which stay for the
    /// case that the same instance block comes back: a driver unbinds all channels when the machine
    /// goes to sleep, and does not bind their objects again.
    void unbind() {
        if (unfinished != null) {
            unfinished.abandon();
            unfinished = null;
        }
        bound = false;
        loaded = false;
        hold = null;
        deaf = false;
        change(Transition.FORGET);
        engine = EngineId.SOFTWARE;
        segment.end();
        decoder.forget();
        subchannels.abandon();
        publishStatus();
    }

    /// Forgets the objects too.
    void forgetObjects() {
        subchannels.clear();
    }

    /// May have work now.
    void kick() {
        deaf = false;
        if (state == RunState.IDLE) {
            change(Transition.KICK);
        }
    }

    /// Whether driver and runlist let it run.
    boolean isScheduled() {
        return bound && runnable && listed;
    }

    /// Instance block, in bytes.
    long instanceAddress() {
        return instanceAddress;
    }

    /// Whether its state has been taken from RAMFC.
    boolean isLoaded() {
        return loaded;
    }

    /// Takes the channel's state from RAMFC.
    ///
    /// @return 0, or the interrupt bit of [Pbdma] that says why the channel cannot be loaded: there
    ///   is no memory or no signature, or the ring has a size that no index can count
    int load() {
        if (!locateRamfc() || !ramfc.isSigned()) {
            return Pbdma.INTR_SIGNATURE_MISMATCH.mask();
        }
        space.load(instanceTarget, instanceAddress);
        if (!ring.load(ramfc)) {
            return Pbdma.INTR_IB_ENTRY_INVALID.mask();
        }
        segment.load(ramfc.dmaGet());
        decoder.load(ramfc);
        semaphoreGpuVa = ramfc.semaphoreGpuVa();
        semaphorePayload = ramfc.semaphorePayload();
        reference = ramfc.refCount();
        loadSubchannels();
        settle();
        loaded = true;
        return 0;
    }

    private void loadSubchannels() {
        if (ownerTarget != instanceTarget || ownerAddress != instanceAddress) {
            ownerTarget = instanceTarget;
            ownerAddress = instanceAddress;
            subchannels.clear();
        }
        subchannels.load(ramfc);
    }

    /// Writes the state that another owner could go on with to RAMFC: the ring's position,
    /// semaphore, reference count and the engines that are bound. A segment or an operation in
    /// progress stays here and is lost if the channel is bound again.
    void save() {
        if (!loaded || !locateRamfc() || !span.isWritable()) {
            return;
        }
        try {
            ramfc.ibGet(ring.get()).dmaGet(segment.gpuVa()).refCount(reference);
            ramfc.semaphore(semaphoreGpuVa, semaphorePayload).currentEngine(engine.number());
            subchannels.save(ramfc);
            settle();
        } catch (InternalError cutOff) {
            space.mmu().memory().countLostAccess();
        }
    }

    /// Leaves its PBDMA and engine. A wait for a semaphore ends: it looks again when its turn
    /// comes.
    void preempt() {
        save();
        if (state == RunState.ACQUIRING) {
            change(Transition.PREEMPT);
        }
        publishStatus();
    }

    /// Finds memory again; to be called whenever the register thread may have run meanwhile.
    void refresh() {
        space.refresh();
        ring.refresh();
    }

    /// Stops for good.
    void die() {
        if (unfinished != null) {
            unfinished.abandon();
            unfinished = null;
        }
        hold = null;
        change(Transition.DIE);
        publishStatus();
    }

    /// Its turn has come: whatever it waited for, it looks again.
    void ready() {
        change(Transition.TURN);
        hold = null;
    }

    /// Has nothing to do.
    void rest() {
        change(Transition.REST);
    }

    /// Waits for a semaphore.
    void acquire() {
        change(Transition.ACQUIRE);
    }

    /// Whether its engine has something to do, or is stopped, for it.
    boolean occupiesEngine() {
        return state == RunState.READY || unfinished != null || hold != null;
    }

    /// Stops until the driver has acknowledged something.
    void waitFor(Hold what) {
        change(Transition.HOLD);
        hold = what;
    }

    /// Shows the register thread what the channel does.
    void publishStatus() {
        boolean busy = loaded && state != RunState.IDLE && state != RunState.DEAD;
        int word = Pfifo.STATE_ENGINE.of(engine.number());
        word |= Pfifo.STATE_LOADED.of(busy ? 1 : 0) | Pfifo.STATE_PENDING.of(busy ? 1 : 0);
        word |= Pfifo.STATE_ACQUIRE_PENDING.of(state == RunState.ACQUIRING ? 1 : 0);
        if (word != statusWord) {
            statusWord = word;
        }
    }

    /// What the register thread reads in 003004, without the driver's own bit.
    int statusWord() {
        return statusWord;
    }

    /// The only place where the state changes.
    private void change(Transition transition) {
        state = state.after(transition);
    }

    /// Makes an access to an instance block that was cut off fail here.
    private void settle() {
        if (span.isFragile()) {
            PhysicalMemory.settle();
        }
    }

    private boolean locateRamfc() {
        boolean found =
                space.mmu().memory().locate(instanceTarget, instanceAddress, span)
                        && span.bytes() >= InstanceBlock.BYTES;
        if (found) {
            ramfc.wrap(span.segment(), span.offset());
        }
        return found;
    }
}
