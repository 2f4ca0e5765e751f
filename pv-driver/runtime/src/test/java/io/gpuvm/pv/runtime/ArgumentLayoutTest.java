package io.gpuvm.pv.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class ArgumentLayoutTest {
    private static final ArgumentLayout LAYOUT = new ArgumentLayout(Long.BYTES);

    @Test
    void givenMembers_whenLaidOut_thenMembersAreAligned() {
        assertEquals(4, structureBytes(new Arguments().i32(1)));
        assertEquals(16, structureBytes(new Arguments().i32(1).i64(2)));
        assertEquals(24, structureBytes(new Arguments().i32(1).f64(2).f32(3)));
        assertEquals(16, structureBytes(new Arguments().i64(1).i32(2).i32(3)));
    }

    @Test
    void givenNestedStructure_whenLaidOut_thenStructureIsAlignedAsMembersRequire() {
        Arguments inner = new Arguments().i64(1).i32(2);
        assertEquals(24, structureBytes(new Arguments().i32(0).structure(inner)));
        assertEquals(
                12,
                structureBytes(new Arguments().i32(0).structure(new Arguments().i32(1).i32(2))));
    }

    @Test
    void givenBytes_whenLaidOut_thenAlignmentIsPowerOfTwoThatDividesLength() {
        assertEquals(7, structureBytes(new Arguments().bytes(new byte[7])));
        assertEquals(20, structureBytes(new Arguments().bytes(new byte[7]).bytes(new byte[12])));
        assertEquals(24, structureBytes(new Arguments().i32(1).bytes(new byte[16])));
    }

    @Test
    void givenNoMembers_whenLaidOut_thenLayoutIsEmpty() {
        assertEquals(0, structureBytes(new Arguments()));
    }

    private static int structureBytes(Arguments members) {
        return LAYOUT.bytes(new Arguments().structure(members).list().getFirst());
    }
}
