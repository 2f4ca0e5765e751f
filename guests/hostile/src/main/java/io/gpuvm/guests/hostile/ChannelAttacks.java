package io.gpuvm.guests.hostile;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.gf100.reg.Pbdma;
import io.gpuvm.gf100.reg.Pffb;
import io.gpuvm.gf100.reg.Pfifo;
import io.gpuvm.gf100.reg.Register;
import java.util.Random;

/// Attacks with channel structures outside the guest's memory, and with undefined numbers.
final class ChannelAttacks {
    private static final int ALL_IDS = 4095;

    private static final int TRIES = 64;

    private final HostileGuest guest;
    private final Victim neighbour;

    ChannelAttacks(HostileGuest guest, Victim neighbour) {
        this.guest = guest;
        this.neighbour = neighbour;
    }

    /// Address outside the guest's memory.
    private record Place(MemoryTarget target, long address) {}

    private Place[] outside() {
        return new Place[] {
            new Place(MemoryTarget.VRAM, neighbour.vram()),
            new Place(MemoryTarget.VRAM, neighbour.vram() + neighbour.vramBytes() / 2),
            new Place(MemoryTarget.SYSTEM_COHERENT, neighbour.ram()),
            new Place(MemoryTarget.SYSTEM_NONCOHERENT, neighbour.arena()),
            new Place(MemoryTarget.SYSTEM_COHERENT, neighbour.own()),
        };
    }

    /// Tries instance blocks outside the guest's memory.
    void instance() {
        HostileChannel channel = channel();
        for (Place place : outside()) {
            channel.close();
            channel.describe();
            channel.bind(place.target, place.address);
            expectNothingRuns(channel, "an instance block at " + place);
        }
    }

    /// Tries page directories outside the guest's memory.
    void directory() {
        HostileChannel channel = channel();
        for (Place place : outside()) {
            channel.close();
            channel.describe();
            channel.instance().directory(place.target, place.address);
            rebind(channel);
            expectNothingRuns(channel, "a page directory at " + place);
        }
    }

    /// Tries USERD areas outside the guest's memory.
    void userd() {
        HostileChannel channel = channel();
        for (Place place : outside()) {
            channel.close();
            channel.describe();
            channel.ramfc().userd(place.target, place.address);
            rebind(channel);
            expectNothingRuns(channel, "a USERD at " + place);
        }
    }

    /// Tries engine contexts at physical addresses, through which engines could read and write any
    /// memory.
    void context() {
        HostileChannel channel = channel();
        for (EngineId engine : new EngineId[] {EngineId.GRAPH, EngineId.COPY0, EngineId.COPY1}) {
            channel.close();
            channel.describe();
            channel.instance().context(engine, neighbour.vram());
            rebind(channel);
            expectNothingRuns(channel, "a physical context of " + engine);
        }
    }

    /// Tries runlists outside the guest's memory.
    void runlist() {
        HostileChannel channel = channel();
        for (Place place : outside()) {
            channel.commit(place.target, place.address, ALL_IDS);
            awaitLoaded(place);
        }
        channel.open();
    }

    /// Waits until the runlist is loaded. Without an answer, a driver would wait indefinitely.
    private void awaitLoaded(Place place) {
        long deadlineNs = System.nanoTime() + Deadlines.ANSWER_NS;
        while (Pfifo.RUNLIST_BUSY.isSet(guest.read(Pfifo.RUNLIST_LOADED_LENGTH))) {
            if (System.nanoTime() - deadlineNs > 0) {
                guest.found("no answer to a runlist at %s".formatted(place));
                return;
            }
        }
    }

    /// Writes undefined ids of channels, engines, units and PBDMAs, and undefined directories.
    void ids() {
        Random random = new Random(Pfifo.CHANNELS);
        int behind = Pfifo.CHANNEL.at(Pfifo.CHANNELS - 1) + Register.BYTES;
        for (int i = 0; i < TRIES; i++) {
            int word = random.nextInt();
            guest.client.post(HostileGuest.BAR0, behind + (i & ~1) * Register.BYTES, word);
            guest.write(Pfifo.PREEMPT, word);
            guest.write(Pfifo.ENGINE_FREEZE, word);
            guest.write(Pfifo.FAULT_INJECT.element(i % 6), word);
            guest.write(Pfifo.VM_FAULT_SOURCE, -1);
            guest.write(Pffb.VM_TLB_FLUSH_VSPACE, word);
            guest.write(Pffb.VM_TLB_FLUSH_TRIGGER, word);
            guest.write(Pfifo.USERD_BASE, word);
            guest.write(Pfifo.CHANNEL_STATE.element(i), word);
            for (int pbdma = 0; pbdma < Pbdma.COUNT; pbdma++) {
                guest.write(Pbdma.METHOD.element(pbdma), word);
                guest.write(Pbdma.INTR.element(pbdma), -1);
            }
            guest.client.flush();
        }
        guest.write(Pfifo.ENGINE_FREEZE, 0);
        guest.read(Pfifo.INTR);
    }

    private HostileChannel channel() {
        return new HostileChannel(guest, new Tables(guest, MemoryTarget.SYSTEM_COHERENT), 0)
                .requireWorking();
    }

    private static void rebind(HostileChannel channel) {
        channel.bind(MemoryTarget.SYSTEM_COHERENT, channel.userd() - InstanceBlock.BYTES);
    }

    private void expectNothingRuns(HostileChannel channel, String what) {
        channel.start();
        if (channel.writeWord(HostileGuest.DATA, 1)) {
            guest.found("a channel runs with " + what);
        }
    }
}
