package io.gpuvm.gf100.mmu;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class FaultNamesTest {
    @Test
    void givenStatusWords_whenClientsAreNamed_thenNamesContainHubOrGpc() {
        int hub = FaultStatus.ofHub(FaultReason.PAGE_NOT_PRESENT, FaultClient.DISPATCH, true);
        int mp = FaultStatus.ofMultiprocessor(FaultReason.PAGE_NOT_PRESENT, 2, 3, false);

        assertEquals("HUB/DISPATCH", FaultStatus.clientName(hub));
        assertEquals("GPC2/TPC3/L1", FaultStatus.clientName(mp));
    }

    @Test
    void givenEveryGpcClient_whenNamed_thenGpcClientsFollowTpcClients() {
        String[] names = new String[17];
        for (int client = 0; client < names.length; client++) {
            names[client] = FaultStatus.clientName(client << 8);
        }

        assertEquals("GPC0/TPC0/TEX", names[1]);
        assertEquals("GPC0/TPC3/POLY", names[11]);
        assertEquals("GPC0/ESETUP", names[12]);
        assertEquals("GPC0/PROP", names[15]);
        assertEquals("GPC0/0x10", names[16]);
    }

    @Test
    void givenUnknownCodes_whenNamed_thenNameContainsNumber() {
        assertEquals("PAGE_READ_ONLY", FaultReason.nameOf(6));
        assertEquals("reason 0x7", FaultReason.nameOf(7));
        assertEquals("PCOPY1", FaultUnit.nameOf(0x16));
        assertEquals("0x1f", FaultUnit.nameOf(0x1f));
        assertEquals("PFIFO", FaultClient.nameOf(6));
        assertEquals("0x1f", FaultClient.nameOf(0x1f));
    }
}
