package io.gpuvm.shadow;

import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.memory.PhysicalMemory;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.unit.fifo.TransitionTable;
import io.gpuvm.port.ArenaBlock;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;

/// Channel that hardware uses in place of a channel that a guest has bound: an instance block with
/// translated pointers, and a USERD page that the guest does not write.
///
/// The addresses of ring, semaphore and contexts are virtual and stay unchanged. The address of the
/// page directory is replaced by that of its shadow, and the address of USERD by that of a page of
/// the arena. Hardware saves the channel's state in the instance block, and its progress in USERD.
/// Confined to the virtual machine's thread.
public final class ShadowChannel implements Binding {
    /// State of a shadow.
    enum State {
        /// New shadow, whose parts have been allocated as far as the arena has space.
        NEW,
        /// Shadow that hardware may use.
        BOUND,
        /// Shadow whose parts have been released.
        FREED
    }

    /// Transition between two states.
    enum Transition {
        /// Acceptance of the guest's instance block.
        BIND,
        /// Refusal of the guest's instance block.
        REFUSE,
        /// Release of the channel by hardware.
        RELEASE
    }

    private static final TransitionTable<State, Transition> TABLE =
            TransitionTable.of(State.class, Transition.class)
                    .allow(Transition.BIND, State.NEW, State.BOUND)
                    .allow(Transition.REFUSE, State.NEW, State.FREED)
                    .allow(Transition.RELEASE, State.BOUND, State.FREED)
                    .build();

    private final ShadowSpaces spaces;
    private final ShadowParts parts;
    private final int guestId;
    private final MemoryTarget guestTarget;
    private final long guestInstance;
    private final long instanceOffset;
    private final ShadowInstance instance;
    private final ShadowUserd userd;
    private final InstanceUser user = new InstanceUser();
    private ShadowSpace space;
    private State state = State.NEW;

    private ShadowChannel(
            ShadowSpaces spaces, int guestId, MemoryTarget guestTarget, long guestInstance) {
        this.spaces = spaces;
        this.guestId = guestId;
        this.guestTarget = guestTarget;
        this.guestInstance = guestInstance;
        parts = spaces.parts();
        instanceOffset = parts.arena.take(ArenaBlock.INSTANCE);
        userd = new ShadowUserd(parts);
        instance =
                instanceOffset == VmArena.NONE
                        ? null
                        : new ShadowInstance(
                                parts.arena.memory().asSlice(instanceOffset, InstanceBlock.BYTES));
    }

    /// Copies and checks the instance block of a channel that the guest binds.
    ///
    /// @param guestId guest's number of the channel
    /// @param target memory that contains the instance block, null for an invalid code
    /// @param guestInstance address of the block in guest VRAM, or its guest-physical address
    public static Binding bind(
            ShadowSpaces spaces, int guestId, MemoryTarget target, long guestInstance) {
        ShadowChannel channel = new ShadowChannel(spaces, guestId, target, guestInstance);
        String reason = channel.open();
        if (reason == null) {
            channel.change(Transition.BIND);
            return channel;
        }
        channel.change(Transition.REFUSE);
        channel.free();
        spaces.parts().refusals.channel(guestId, reason);
        return new Refused(reason);
    }

    /// Returns the guest's number of the channel.
    public int guestId() {
        return guestId;
    }

    /// Returns the memory that contains the guest's instance block.
    public MemoryTarget guestTarget() {
        return guestTarget;
    }

    /// Returns the address of the guest's instance block in the guest's view.
    public long guestInstance() {
        return guestInstance;
    }

    /// Returns the memory that contains the guest's USERD.
    public MemoryTarget guestUserdTarget() {
        return userd.guestTarget();
    }

    /// Returns the address of the guest's USERD in the guest's view.
    public long guestUserd() {
        return userd.guestAddress();
    }

    /// Returns the bus address of the instance block that hardware uses.
    public long instanceIova() {
        return parts.arena.iovaOf(instanceOffset);
    }

    /// Returns the bus address of the USERD page that hardware uses.
    public long userdIova() {
        return userd.iova();
    }

    /// Returns the USERD page that hardware uses, with the layout of [io.gpuvm.gf100.fifo.Userd].
    /// The page is initially a copy of the guest's page without pending work: the put index equals
    /// the ring's get index.
    public MemorySegment userd() {
        return userd.memory();
    }

    /// Returns the address space that hardware uses for the channel.
    public ShadowSpace space() {
        return space;
    }

    /// Prepares the activation of the channel: applies the guest's changes to the instance block
    /// and the page tables. A refused change leaves the previous state in effect.
    ///
    /// @return whether the GPU's translations must be flushed; see [ShadowSpaces#forEachToFlush]
    public boolean prepare() {
        if (guestTarget == MemoryTarget.VRAM) {
            parts.tracked.compare(guestInstance);
        }
        spaces.followMarks();
        if (user.changed || guestTarget.isSystem()) {
            user.changed = false;
            if (readInstance()) {
                followDirectory();
                showInstance();
            }
        }
        return spaces.prepare(space);
    }

    /// Writes to the guest's instance block and USERD the state that hardware has saved, as
    /// hardware does when it preempts a channel. Called only while the guest waits for the
    /// preemption, because the guest may reuse the memory afterwards.
    public void save() {
        PhysicalMemory memory = parts.setup.guestMmu().memory();
        instance.forEachSaved((offset, word) -> {
            long value = Integer.toUnsignedLong(word);
            memory.write(guestTarget, guestInstance + offset, Integer.BYTES, value);
            parts.onWriteBack(guestTarget, guestInstance + offset, Integer.BYTES);
        });
        userd.save();
    }

    /// Frees the shadow, after hardware has released the channel.
    public void release() {
        change(Transition.RELEASE);
        free();
    }

    /// @return reason why the channel cannot be shadowed, null if it can
    private String open() {
        if (instance == null || !userd.exists()) {
            return noRoom();
        }
        if (!parts.translation.isReadable(guestTarget, guestInstance)) {
            return notTheGuests("instance block", guestTarget, guestInstance);
        }
        // The tracking starts before the first read, so that no change is missed.
        user.attach();
        if (!readInstance()) {
            return notTheGuests("instance block", guestTarget, guestInstance);
        }
        MemoryTarget directoryTarget = instance.guest().directoryTarget();
        long directory = instance.guest().directoryAddress();
        if (!parts.translation.isReadable(directoryTarget, directory)) {
            return notTheGuests("page directory", directoryTarget, directory);
        }
        MemoryTarget userdTarget = instance.guestRamfc().userdTarget();
        long guestUserd = instance.guestRamfc().userdAddress();
        if (!parts.translation.isReadable(userdTarget, guestUserd)) {
            return notTheGuests("USERD", userdTarget, guestUserd);
        }
        if (!instance.isEveryContextVirtual()) {
            return "engine context at a physical address, expected a virtual address";
        }
        space = spaces.acquire(directoryTarget, directory, instance.guest().limit());
        if (space == null) {
            return noRoom();
        }
        userd.load(userdTarget, guestUserd, instance.guestRamfc().ibGet());
        instance.show(space, userd.iova());
        return null;
    }

    private boolean readInstance() {
        return parts.instancePage(guestTarget, guestInstance, instance.guestWords());
    }

    private void followDirectory() {
        MemoryTarget target = instance.guest().directoryTarget();
        long directory = instance.guest().directoryAddress();
        long limit = instance.guest().limit();
        if (space.shadows(target, directory)) {
            spaces.extend(space, limit);
            return;
        }
        if (!parts.translation.isReadable(target, directory)) {
            parts.refusals.channel(guestId, notTheGuests("page directory", target, directory));
            return;
        }
        ShadowSpace chosen = spaces.acquire(target, directory, limit);
        if (chosen == null) {
            parts.refusals.channel(guestId, noRoom());
            return;
        }
        spaces.release(space);
        space = chosen;
    }

    private void showInstance() {
        if (!instance.isEveryContextVirtual()) {
            parts.refusals.channel(
                    guestId, "engine context at a physical address, expected a virtual address");
        }
        instance.show(space, userd.iova());
    }

    /// Changes the state. No other method changes it.
    private void change(Transition transition) {
        state = TABLE.after(state, transition);
    }

    private void free() {
        if (user.isAttached()) {
            user.detach();
        }
        if (space != null) {
            spaces.release(space);
        }
        userd.free();
        if (instanceOffset != VmArena.NONE) {
            parts.arena.giveBack(ArenaBlock.INSTANCE, instanceOffset);
        }
    }

    private String noRoom() {
        return "arena bytes=%d, limit=%d"
                .formatted(parts.arena.usedBytes(), parts.arena.quotaBytes());
    }

    private String notTheGuests(String what, MemoryTarget target, long address) {
        return "%s=%#x in %s, limit=%s, %s"
                .formatted(what, address, target, parts.setup.vram(), parts.setup.iova());
    }

    /// Tracker of writes to the guest's instance block.
    private final class InstanceUser implements PageUser {
        private boolean attached;
        private boolean changed;

        void attach() {
            attached = true;
            if (guestTarget == MemoryTarget.VRAM) {
                parts.tracked.attach(this, guestInstance, InstanceBlock.BYTES);
            }
        }

        void detach() {
            attached = false;
            if (guestTarget == MemoryTarget.VRAM) {
                parts.tracked.detach(this, guestInstance, InstanceBlock.BYTES);
            }
        }

        @Override
        public boolean isAttached() {
            return attached;
        }

        @Override
        public boolean isTable() {
            return false;
        }

        @Override
        public void onChanged(long guestVram) {
            changed = true;
        }
    }
}
