package io.gpuvm.pv.host;

import io.gpuvm.port.VmArena;
import io.gpuvm.pv.protocol.CommandStatus;
import io.gpuvm.pv.protocol.Handle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// GPU of one session, for the session's front end: address spaces, memory and channels, within the
/// quotas of the virtual machine. No method waits for the GPU or its owner: resources that the GPU
/// may still use are released later. Confined to the poller's thread.
public final class SessionGpu {
    /// Private memory of a context, at least; see [#isTurnLeft()].
    private static final long CONTEXT_BYTES = 1 << 20;

    /// Number of bytes of private memory whose zeroing takes as long as writing a page-table entry.
    private static final long BYTES_OF_ENTRY = 256;

    private final PvPlace place;
    private final int session;
    private final GuestResources resources;
    private final SessionChannels channels;
    private final SpaceMapper mapper;
    private final PrivatePages pages;

    /// Private memory, as the GPU sees it.
    private final Backing privateMemory = new Backing(VmArena.TARGET);

    private final SessionReleases releases;
    private final SessionRefusals refusals;
    private final Set<SessionSpace> spaces = new HashSet<>();

    /// Budget of the current turn.
    private TurnBudget budget = new TurnBudget();

    /// Number of address spaces whose channels have not ended.
    private int closingSpaces;

    /// Number of pieces of memory in these address spaces.
    private int closingMemories;

    SessionGpu(
            PvPlace place,
            PvSeat seat,
            GuestResources resources,
            SessionChannels channels,
            PrivateMemory memory) {
        this.place = place;
        this.resources = resources;
        this.channels = channels;
        session = seat.number();
        mapper = new SpaceMapper(resources.memory());
        pages = new PrivatePages(memory);
        privateMemory.add(place.memory().toBus(seat.privateGuestPhysical()), memory.bytes());
        releases = new SessionReleases(resources.numbers());
        refusals = new SessionRefusals(place, memory.bytes());
    }

    /// Returns whether the session may take another entry in this turn. It may not if the objects
    /// and page-table entries of earlier entries have used up the budget of the virtual machine's
    /// turn, or if a new context would lack resources that the GPU's owner is about to return.
    public boolean isTurnLeft() {
        return budget.isLeft() && !resources.hasManyRequests() && !isShort();
    }

    /// Returns the work that is left in this turn, in page-table entries, 0 or more.
    public int workLeft() {
        return budget.isInDebt() ? 0 : budget.work();
    }

    /// Counts work of the front end, in addition to that of its entries.
    ///
    /// @param entries number of page-table entries whose writing takes as long
    public void spend(int entries) {
        budget.spend(entries);
    }

    private boolean isShort() {
        PlaceUse use = place.use();
        return channels.areEnding() && !use.channels().mayTake(session)
                || closingSpaces > 0 && use.spaces().isUsedUp()
                || use.retiredSpaces().isUsedUp()
                || releases.size() > 0 && pages.freeBytes() < CONTEXT_BYTES;
    }

    /// Returns the number of bytes of VRAM that are left for all sessions of the virtual machine.
    public long freeVramBytes() {
        return place.use().vram().freeBytes();
    }

    /// Returns the number of pieces of memory that the session has released, but that are not
    /// available yet, because the GPU may still use them.
    public int pendingReleases() {
        return releases.size() + closingMemories;
    }

    /// Creates an address space.
    ///
    /// @throws SessionGpuException if a quota is used up, or memory is lacking
    public SessionSpace openSpace() {
        budget.spendSetup(0);
        GuestMemory memory = resources.memory();
        CommandStatus status = memory.createSpace();
        if (status != CommandStatus.OK) {
            throw refusals.ofSpace(status);
        }
        SessionSpace space = new SessionSpace(this, memory.result(), memory.space(memory.result()));
        spaces.add(space);
        return space;
    }

    /// Begins a turn: completes the releases for which the GPU's owner has answered.
    ///
    /// @param turn budget of the turn
    /// @return amount of work done
    int begin(TurnBudget turn) {
        budget = turn;
        return releases.run();
    }

    /// Requests flushes, then rings doorbells, so that page-table changes take effect before the
    /// submitted work runs.
    void handOn() {
        resources.flushes().askAll();
        releases.asked();
        resources.submissions().ring();
    }

    /// Makes all later calls of the front end have no effect on the GPU, whose resources the place
    /// takes back.
    void stop() {
        channels.stop();
    }

    boolean isStopped() {
        return channels.isStopped();
    }

    /// Ends the access to the session's memory from this process.
    void endViews() {
        spaces.forEach(SessionSpace::endViews);
    }

    GuestMemory memory() {
        return resources.memory();
    }

    /// Returns the data area, as the GPU sees it.
    Backing data() {
        return resources.memory().backing(Handle.DATA_AREA);
    }

    /// Returns the private memory, as the GPU sees it.
    Backing privateMemory() {
        return privateMemory;
    }

    PrivatePages pages() {
        return pages;
    }

    /// Runs an action after the flushes of this turn's changes of page tables.
    void afterFlush(Runnable action) {
        releases.add(action);
    }

    /// @return handle of the VRAM
    int allocateVram(long bytes) {
        GuestMemory memory = resources.memory();
        CommandStatus status = memory.allocate(bytes);
        budget.spendSetup(memory.work());
        if (status != CommandStatus.OK) {
            throw refusals.ofVram(status, bytes);
        }
        return memory.result();
    }

    void freeVram(int piece) {
        resources.memory().free(piece);
        budget.spendSetup(resources.memory().work());
    }

    /// @return offset in the private memory
    long allocatePrivate(long bytes) {
        long offset = pages.take(bytes);
        if (offset == PrivatePages.NONE) {
            throw refusals.ofPrivate(bytes);
        }
        budget.spendSetup((int) (bytes / BYTES_OF_ENTRY));
        return offset;
    }

    void map(GuestSpace space, long gpuVa, Backing backing, long offset, long bytes) {
        CommandStatus status = mapper.map(space, gpuVa, backing, offset, bytes);
        changed(space);
        if (status != CommandStatus.OK) {
            throw refusals.ofMapping(status, gpuVa, bytes);
        }
    }

    void unmap(GuestSpace space, long gpuVa, long bytes) {
        mapper.unmap(space, gpuVa, bytes);
        changed(space);
    }

    private void changed(GuestSpace space) {
        resources.counts().add(PvCounter.PAGE_TABLE_WORK, mapper.work());
        budget.spend(mapper.work());
        resources.flushes().note(space, true);
    }

    SessionChannel openChannel(SessionSpace user, GuestSpace space, long ring, int order) {
        budget.spendSetup(0);
        CommandStatus status = resources.channels().create(ring, order, space);
        if (status != CommandStatus.OK) {
            throw refusals.ofChannel(status);
        }
        GuestChannel created = resources.channels().created();
        SessionChannel channel = new SessionChannel(user, channels, created);
        channels.add(created, channel);
        return channel;
    }

    /// Called when an address space begins to close.
    ///
    /// @param memoryCount number of its pieces of memory
    void beginClose(int memoryCount) {
        closingSpaces++;
        closingMemories += memoryCount;
    }

    /// Destroys an address space without channels, and releases its memory.
    void endClose(SessionSpace closed, int handle, GuestSpace space, List<SessionMemory> memories) {
        budget.spendSetup(0);
        CommandStatus status = resources.memory().destroySpace(handle, resources.numbers().asked());
        if (status != CommandStatus.OK) {
            throw new IllegalStateException("address space %#x: %s".formatted(handle, status));
        }
        if (space.shown) {
            resources.flushes().askLast(space);
        }
        memories.forEach(memory -> releases.add(memory.release()));
        spaces.remove(closed);
        closingSpaces--;
        closingMemories -= memories.size();
    }
}
