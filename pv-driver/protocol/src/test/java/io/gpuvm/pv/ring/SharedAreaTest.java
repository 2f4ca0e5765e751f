package io.gpuvm.pv.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.gpuvm.pv.protocol.AreaHeader;
import io.gpuvm.pv.protocol.AreaLayout;
import io.gpuvm.pv.protocol.ChannelSlot;
import io.gpuvm.pv.protocol.WireType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/// Tests that both sides of an area see the same contents, that the guest checks the header, and
/// that the host does not read the header again.
class SharedAreaTest {
    private static final long VERSION_AT = 8;

    private final TestArea area = new TestArea();

    @Test
    void givenAreaOfHost_whenGuestAttaches_thenLayoutAndLimitsMatch() {
        assertEquals(TestArea.LAYOUT, area.guest.layout());
        assertEquals(TestArea.LIMITS, area.guest.limits());
    }

    @Test
    void givenMemoryWithoutArea_whenGuestAttaches_thenMemoryIsRefused() {
        MemorySegment zeros = Arena.ofAuto().allocate(TestArea.LAYOUT.bytes(), 1 << 12);
        assertThrows(IllegalArgumentException.class, () -> SharedArea.attach(zeros));
    }

    @Test
    void givenTooShortMapping_whenGuestAttaches_thenMappingIsRefused() {
        MemorySegment part = area.memory.asSlice(0, TestArea.LAYOUT.bytes() - 1);
        assertThrows(IllegalArgumentException.class, () -> SharedArea.attach(part));
    }

    @Test
    void givenAnotherVersion_whenGuestAttaches_thenErrorNamesBothVersions() {
        area.memory.set(WireType.U32, VERSION_AT, AreaHeader.VERSION + 1);
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> SharedArea.attach(area.memory));
        assertEquals("version=2, expected=1", refused.getMessage());
    }

    @Test
    void givenHeaderRewrittenByGuest_whenHostReads_thenPrivateCopyIsUsed() {
        area.memory.asSlice(0, AreaHeader.BYTES).fill((byte) 0xff);
        assertEquals(TestArea.LAYOUT, area.host.layout());
        assertEquals(TestArea.LAYOUT.dataBytes(), area.host.data().byteSize());
        area.guest.submissionProducer().publish(1);
        assertEquals(true, area.host.submissionConsumer().poll());
    }

    @Test
    void givenArea_whenHostPublishesEventCount_thenGuestReadsSameCount() {
        area.host.news(-5);
        assertEquals(-5, area.guest.news());
    }

    @Test
    void givenChannel_whenHostPublishesProgress_thenGuestSeesProgress() {
        area.host.channel(7).open().get(9);
        assertEquals(9, area.guest.channel(7).get());
        assertEquals(ChannelSlot.CLOSED, area.guest.channel(6).state());
    }

    @Test
    void givenDataArea_whenOneSideWrites_thenOtherSideReadsSameData() {
        area.guest.data().set(WireType.U32, 4, 77);
        assertEquals(77, area.host.data().get(WireType.U32, 4));
        assertEquals(77, area.memory.get(WireType.U32, TestArea.LAYOUT.data() + 4));
    }

    @Test
    void givenWordsOfBothSides_whenLaidOut_thenWordsDoNotShareCacheLines() {
        assertEquals(0, AreaLayout.WORDS % AreaLayout.WORD_STRIDE);
        assertEquals(128, AreaLayout.GUEST_SLEEPS - AreaLayout.HOST_SLEEPS);
    }
}
