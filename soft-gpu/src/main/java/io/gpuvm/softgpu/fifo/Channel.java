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

/// One channel: the driver's settings and the progress of its work.
///
/// Accessed only by the holder of the [Baton], except [#statusWord()], which the register thread
/// may read at any time.
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

    /// Instance block to which the objects in [#subchannels] belong: the last instance block that
    /// was loaded.
    private MemoryTarget ownerTarget;

    private long ownerAddress;

    /// True if the driver lets the channel run.
    private boolean runnable;

    /// True if the channel is in the runlist.
    private boolean listed;

    private RunState state = RunState.IDLE;

    /// Condition that the channel waits for in [RunState#HELD].
    private Hold hold;

    /// True if the instance block or the put index is invalid and the error was reported; the
    /// channel does not check again until it is kicked.
    private boolean deaf;

    /// Object with an unfinished operation, or null.
    private ClassObject unfinished;

    /// Engine that executed the last method other than a host method; [EngineId#SOFTWARE] before
    /// the first.
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

    /// Returns the condition that the channel waits for in [RunState#HELD].
    Hold hold() {
        return hold;
    }

    /// Returns whether the channel is in the runlist.
    boolean isListed() {
        return listed;
    }

    void listed(boolean isIn) {
        listed = isIn;
    }

    /// Sets whether the driver lets the channel run.
    void runnable(boolean may) {
        runnable = may;
    }

    /// Returns whether the instance block or the put index is invalid and the error was reported;
    /// the channel does not check again until it is kicked.
    boolean isDeaf() {
        return deaf;
    }

    void deaf(boolean isReported) {
        deaf = isReported;
    }

    /// Returns the object with an unfinished operation, or null.
    ClassObject unfinished() {
        return unfinished;
    }

    void unfinished(ClassObject object) {
        unfinished = object;
    }

    /// Returns the engine that executed the last method other than a host method;
    /// [EngineId#SOFTWARE] before the first.
    EngineId engine() {
        return engine;
    }

    void moveTo(EngineId next) {
        engine = next;
    }

    /// Returns the address of the semaphore for the next operation.
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

    /// Sets the reference count.
    void reference(int count) {
        reference = count;
    }

    /// Binds an instance block. Work in progress is discarded.
    void bind(MemoryTarget target, long address) {
        unbind();
        bound = true;
        instanceTarget = target;
        instanceAddress = address;
    }

    /// Removes the instance block and discards the channel's progress. The objects are retained in
    /// case the same instance block is bound again: a driver unbinds all channels when the machine
    /// is suspended, and does not bind objects again on resume.
    void unbind() {
        if (unfinished != null) {
            unfinished.abandon();
            unfinished = null;
        }
        parts.compute().errors().forget(id);
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

    /// Discards the objects, which [#unbind()] retains.
    void forgetObjects() {
        subchannels.clear();
    }

    /// Records that the channel may have work.
    void kick() {
        deaf = false;
        if (state == RunState.IDLE) {
            change(Transition.KICK);
        }
    }

    /// Returns whether the channel is bound and both the driver and the runlist let it run.
    boolean isScheduled() {
        return bound && runnable && listed;
    }

    /// Returns the address of the instance block, in bytes.
    long instanceAddress() {
        return instanceAddress;
    }

    /// Returns whether the channel's state has been loaded from RAMFC.
    boolean isLoaded() {
        return loaded;
    }

    /// Loads the channel's state from RAMFC.
    ///
    /// @return 0, or the interrupt bit of [Pbdma] for the reason why the channel cannot be loaded:
    ///   no memory, no signature, or a ring size beyond the range of an index
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

    /// Writes to RAMFC the state from which the channel can continue: ring position, semaphore,
    /// reference count and bound engines. A segment or an operation in progress is not written, and
    /// is discarded if the channel is bound again.
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

    /// Saves the state of the channel, which leaves its engine. A wait for a semaphore ends: the
    /// channel polls the semaphore again in its next slice.
    void preempt() {
        save();
        if (state == RunState.ACQUIRING) {
            change(Transition.PREEMPT);
        }
        publishStatus();
    }

    /// Locates memory again; must be called when the register thread may have run since the last
    /// call.
    void refresh() {
        space.refresh();
        ring.refresh();
    }

    /// Stops the channel until it is bound again.
    void die() {
        if (unfinished != null) {
            unfinished.abandon();
            unfinished = null;
        }
        hold = null;
        change(Transition.DIE);
        publishStatus();
    }

    /// Begins a slice: the channel re-evaluates any condition that it waits for.
    void ready() {
        change(Transition.TURN);
        hold = null;
    }

    /// Records that the channel has no work.
    void rest() {
        change(Transition.REST);
    }

    /// Records that the channel waits for a semaphore.
    void acquire() {
        change(Transition.ACQUIRE);
    }

    /// Returns whether the channel occupies its engine, by work or by a wait for the driver.
    boolean occupiesEngine() {
        return state == RunState.READY || unfinished != null || hold != null;
    }

    /// Stops the channel until the driver has acknowledged a condition.
    void waitFor(Hold what) {
        change(Transition.HOLD);
        hold = what;
    }

    /// Publishes the channel's status to the register thread.
    void publishStatus() {
        boolean busy = loaded && state != RunState.IDLE && state != RunState.DEAD;
        int word = Pfifo.STATE_ENGINE.of(engine.number());
        word |= Pfifo.STATE_LOADED.of(busy ? 1 : 0) | Pfifo.STATE_PENDING.of(busy ? 1 : 0);
        word |= Pfifo.STATE_ACQUIRE_PENDING.of(state == RunState.ACQUIRING ? 1 : 0);
        if (word != statusWord) {
            statusWord = word;
        }
    }

    /// Returns the value of the channel's register in [Pfifo#CHANNEL_STATE], for the register
    /// thread, without the bit that the driver writes.
    int statusWord() {
        return statusWord;
    }

    /// Applies a transition; no other code changes the state.
    private void change(Transition transition) {
        state = state.after(transition);
    }

    /// Raises the errors of pending accesses to the instance block: an access to truncated memory
    /// fails in this method; see [PhysicalMemory#settle()].
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
