package io.gpuvm.shadow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gpuvm.gf100.fifo.EngineId;
import io.gpuvm.gf100.fifo.InstanceBlock;
import io.gpuvm.gf100.fifo.Ramfc;
import io.gpuvm.gf100.fifo.Userd;
import io.gpuvm.gf100.mmu.MemoryTarget;
import io.gpuvm.port.VmArena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests of the channels that hardware uses in place of a guest's channels.
class ShadowChannelTest {
    private static final MemoryTarget VRAM = MemoryTarget.VRAM;
    private static final MemoryTarget SYSTEM = MemoryTarget.SYSTEM_NONCOHERENT;
    private static final long INSTANCE = 768 << 10;
    private static final long USERD = INSTANCE + InstanceBlock.BYTES;
    private static final long OTHER_DIRECTORY = 256 << 10;
    private static final long RING = 0x12_3456_7000L;
    private static final int RING_ORDER = 9;
    private static final long LIMIT = (1L << 40) - 1;
    private static final long CONTEXT = 0x40_0000L | 4;

    private final TestGuest guest = new TestGuest();
    private final TestGuest.Shadow shadow = guest.shadow(ShadowStrategy.INCREMENTAL);

    @BeforeEach
    void prepareInstance() {
        prepareInstance(guest.vram, INSTANCE);
    }

    @AfterEach
    void close() {
        guest.close();
    }

    private static void prepareInstance(MemorySegment memory, long offset) {
        new Ramfc().wrap(memory, offset).initialize(VRAM, USERD, RING, RING_ORDER);
        new InstanceBlock().wrap(memory, offset).directory(VRAM, 0).limit(LIMIT);
    }

    private InstanceBlock guestInstance() {
        return new InstanceBlock().wrap(guest.vram, INSTANCE);
    }

    private Ramfc guestRamfc() {
        return new Ramfc().wrap(guest.vram, INSTANCE);
    }

    private Binding bind() {
        return ShadowChannel.bind(shadow.spaces, 7, VRAM, INSTANCE);
    }

    private ShadowChannel bound() {
        return assertInstanceOf(ShadowChannel.class, bind());
    }

    private void assertRefused() {
        Binding.Refused refused = assertInstanceOf(Binding.Refused.class, bind());
        assertTrue(refused.reason().matches(".*(limit=|expected ).*"), refused::reason);
        assertEquals(1, shadow.count(ShadowCounter.CHANNELS_REFUSED));
        assertEquals(0, shadow.arena.usedBytes());
    }

    private InstanceBlock hardwareInstance(ShadowChannel channel) {
        return new InstanceBlock().wrap(shadow.at(channel.instanceIova(), InstanceBlock.BYTES), 0);
    }

    private Ramfc hardwareRamfc(ShadowChannel channel) {
        return new Ramfc().wrap(shadow.at(channel.instanceIova(), InstanceBlock.BYTES), 0);
    }

    @Test
    void givenChannel_whenBound_thenPointersAreTranslatedAndOtherFieldsAreCopied() {
        guestInstance().context(EngineId.GRAPH, CONTEXT);
        guestRamfc().ibGet(5);
        ShadowChannel channel = bound();

        Ramfc ramfc = hardwareRamfc(channel);
        assertTrue(ramfc.isSigned());
        assertEquals(VmArena.TARGET, ramfc.userdTarget());
        assertEquals(channel.userdIova(), ramfc.userdAddress());
        assertEquals(RING, ramfc.ringGpuVa());
        assertEquals(RING_ORDER, ramfc.ringOrder());
        assertEquals(5, ramfc.ibGet());
        InstanceBlock instance = hardwareInstance(channel);
        assertEquals(channel.space().target(), instance.directoryTarget());
        assertEquals(channel.space().directoryIova(), instance.directoryAddress());
        assertEquals(LIMIT, instance.limit());
        assertEquals(CONTEXT, instance.context(EngineId.GRAPH));
        assertEquals(7, channel.guestId());
        assertEquals(INSTANCE, channel.guestInstance());
        assertEquals(USERD, channel.guestUserd());
    }

    @Test
    void givenUserd_whenBound_thenHardwareReadsCopyWithoutWork() {
        guestRamfc().ibGet(5);
        new Userd().wrap(guest.vram, USERD).ibPut(9).refCount(77);
        Userd userd = new Userd().wrap(bound().userd(), 0);
        assertEquals(77, userd.refCount());
        assertEquals(5, userd.ibGet());
        assertEquals(5, userd.ibPut());
    }

    @Test
    void givenUnknownWord_whenBound_thenWordIsNotCopied() {
        long unknown = INSTANCE + InstanceBlock.BYTES / 2;
        guest.word(VRAM, unknown, -1);
        ShadowChannel channel = bound();
        MemorySegment block = shadow.at(channel.instanceIova(), InstanceBlock.BYTES);
        assertEquals(0, block.get(ValueLayout.JAVA_LONG, InstanceBlock.BYTES / 2));
    }

    @Test
    void givenInstanceBlockOutsideShares_whenBound_thenBindingIsRefused() {
        assertInstanceOf(
                Binding.Refused.class,
                ShadowChannel.bind(shadow.spaces, 7, VRAM, TestGuest.VRAM_BYTES));
        assertInstanceOf(
                Binding.Refused.class,
                ShadowChannel.bind(shadow.spaces, 7, SYSTEM, TestGuest.IOVA_SHARE.bytes()));
        assertInstanceOf(Binding.Refused.class, ShadowChannel.bind(shadow.spaces, 7, SYSTEM, 0));
        assertInstanceOf(Binding.Refused.class, ShadowChannel.bind(shadow.spaces, 7, null, 0));
        assertEquals(0, shadow.arena.usedBytes());
    }

    @Test
    void givenDirectoryBeyondShare_whenBound_thenBindingIsRefused() {
        guestInstance().directory(VRAM, TestGuest.VRAM_BYTES);
        assertRefused();
    }

    @Test
    void givenDirectoryInSystemMemoryBeyondGuestMemory_whenBound_thenBindingIsRefused() {
        guestInstance().directory(SYSTEM, TestGuest.IOVA_SHARE.bytes());
        assertRefused();
    }

    @Test
    void givenUserdBeyondShare_whenBound_thenBindingIsRefused() {
        guestRamfc().userd(VRAM, TestGuest.VRAM_BYTES);
        assertRefused();
    }

    @ParameterizedTest
    @EnumSource(value = EngineId.class, mode = EnumSource.Mode.EXCLUDE, names = "SOFTWARE")
    void givenContextAtPhysicalAddress_whenBound_thenBindingIsRefused(EngineId engine) {
        guestInstance().context(engine, 0x1000);
        assertRefused();
    }

    @Test
    void givenNoSpaceInArena_whenBound_thenBindingIsRefused() {
        TestGuest.Shadow little = guest.shadow(ShadowStrategy.NAIVE, 2L * InstanceBlock.BYTES);
        assertInstanceOf(
                Binding.Refused.class, ShadowChannel.bind(little.spaces, 1, VRAM, INSTANCE));
        assertEquals(0, little.arena.usedBytes());
    }

    @Test
    void givenBoundChannel_whenContextIsSet_thenContextIsCopiedAtNextActivation() {
        ShadowChannel channel = bound();
        write(() -> guestInstance().context(EngineId.COPY0, CONTEXT));
        assertEquals(0, hardwareInstance(channel).context(EngineId.COPY0));
        channel.prepare();
        assertEquals(CONTEXT, hardwareInstance(channel).context(EngineId.COPY0));
    }

    @Test
    void givenBoundChannel_whenInstanceBlockChanges_thenNoShadowingIsCounted() {
        ShadowChannel channel = bound();
        channel.prepare();
        long shadowings = shadow.count(ShadowCounter.SHADOWINGS);
        long tables = shadow.count(ShadowCounter.TABLES_READ);
        write(() -> guestInstance().context(EngineId.GRAPH, CONTEXT));
        channel.prepare();
        assertEquals(CONTEXT, hardwareInstance(channel).context(EngineId.GRAPH));
        assertEquals(shadowings, shadow.count(ShadowCounter.SHADOWINGS));
        assertEquals(tables, shadow.count(ShadowCounter.TABLES_READ));
    }

    @Test
    void givenBoundChannel_whenContextBecomesPhysical_thenHardwareReadsNoContext() {
        ShadowChannel channel = bound();
        write(() -> guestInstance().context(EngineId.COPY0, 0x1000));
        channel.prepare();
        assertEquals(0, hardwareInstance(channel).context(EngineId.COPY0));
        assertEquals(1, shadow.count(ShadowCounter.CHANNELS_REFUSED));
    }

    @Test
    void givenBoundChannel_whenDirectoryChanges_thenShadowIsReplaced() {
        ShadowChannel channel = bound();
        ShadowSpace before = channel.space();
        write(() -> guestInstance().directory(VRAM, OTHER_DIRECTORY));
        assertSame(before, channel.space());
        assertTrue(channel.prepare());
        assertTrue(channel.space().shadows(VRAM, OTHER_DIRECTORY));
        assertEquals(channel.space().directoryIova(), hardwareInstance(channel).directoryAddress());
    }

    @Test
    void givenBoundChannel_whenDirectoryAndUserdBecomeInvalid_thenPreviousPointersStayInUse() {
        ShadowChannel channel = bound();
        ShadowSpace before = channel.space();
        write(() -> guestInstance().directory(VRAM, TestGuest.VRAM_BYTES));
        write(() -> guestRamfc().userd(VRAM, TestGuest.VRAM_BYTES));
        channel.prepare();
        assertSame(before, channel.space());
        assertEquals(before.directoryIova(), hardwareInstance(channel).directoryAddress());
        assertEquals(channel.userdIova(), hardwareRamfc(channel).userdAddress());
        assertEquals(1, shadow.count(ShadowCounter.CHANNELS_REFUSED));
    }

    @Test
    void givenStateSavedByHardware_whenGuestWritesOtherWords_thenStateIsRetained() {
        ShadowChannel channel = bound();
        hardwareRamfc(channel).ibGet(42);
        write(() -> guestInstance().context(EngineId.GRAPH, CONTEXT));
        channel.prepare();
        assertEquals(42, hardwareRamfc(channel).ibGet());
    }

    @Test
    void givenStateSavedByHardware_whenPreempted_thenGuestReceivesStateAndCanBindAgain() {
        ShadowChannel channel = bound();
        hardwareRamfc(channel).ibGet(42);
        new Userd().wrap(channel.userd(), 0).refCount(8).ibGet(42).ibPut(42);
        channel.save();
        channel.release();
        assertEquals(0, shadow.arena.usedBytes());
        assertEquals(42, guestRamfc().ibGet());
        assertEquals(USERD, guestRamfc().userdAddress());
        assertEquals(8, new Userd().wrap(guest.vram, USERD).refCount());
        assertEquals(0, new Userd().wrap(guest.vram, USERD).ibPut());
        assertEquals(0, guestInstance().directoryAddress());
        assertEquals(42, hardwareRamfc(bound()).ibGet());
    }

    @Test
    void givenInstanceBlockInSystemMemory_whenChanged_thenNextActivationFindsChange() {
        long offset = TestGuest.PAGE;
        prepareInstance(guest.ram, offset);
        long address = TestGuest.RAM_START + offset;
        ShadowChannel channel =
                assertInstanceOf(
                        ShadowChannel.class, ShadowChannel.bind(shadow.spaces, 1, SYSTEM, address));
        new InstanceBlock().wrap(guest.ram, offset).context(EngineId.GRAPH, CONTEXT);
        channel.prepare();
        assertEquals(CONTEXT, hardwareInstance(channel).context(EngineId.GRAPH));
        channel.release();
    }

    @Test
    void givenTwoChannelsOfOneDirectory_whenBound_thenShadowIsShared() {
        ShadowChannel first = bound();
        ShadowChannel second = bound();
        assertSame(first.space(), second.space());
        first.release();
        assertFalse(shadow.arena.usedBytes() == 0);
        second.release();
        assertEquals(0, shadow.arena.usedBytes());
    }

    @Test
    void givenRandomBlocks_whenBoundAndChanged_thenHardwareReadsOnlyTranslatedPointers() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            for (int word = 0; word < 16; word++) {
                long at = INSTANCE + random.nextInt(InstanceBlock.BYTES) / 8 * 8;
                guest.word(VRAM, at, random.nextBoolean() ? random.nextLong() : 0);
            }
            if (bind() instanceof ShadowChannel channel) {
                guest.write(VRAM, INSTANCE + random.nextInt(640) / 4 * 4, 4, random.nextInt());
                channel.prepare();
                Ramfc ramfc = hardwareRamfc(channel);
                assertEquals(channel.userdIova(), ramfc.userdAddress(), () -> "seed=" + seed);
                assertEquals(
                        channel.space().directoryIova(),
                        hardwareInstance(channel).directoryAddress(),
                        () -> "seed=" + seed);
                channel.release();
            }
            guest.clear();
            prepareInstance();
        }
        assertEquals(0, shadow.arena.usedBytes());
    }

    /// Changes the instance block, and reports its words as trapped writes.
    private void write(Runnable change) {
        change.run();
        for (long at = INSTANCE; at < USERD; at += Integer.BYTES) {
            shadow.spaces.onVramWrite(at, Integer.BYTES);
        }
    }

    @Test
    void givenReleasedChannel_whenReleasedAgain_thenReleaseThrowsAndArenaIsUnchanged() {
        ShadowChannel channel = bound();
        channel.release();

        assertThrows(IllegalStateException.class, channel::release);

        assertEquals(0, shadow.arena.usedBytes());
    }
}
