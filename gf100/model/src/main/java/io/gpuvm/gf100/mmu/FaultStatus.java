package io.gpuvm.gf100.mmu;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Status word of a fault block, which describes a refused access. The functions encode and decode
/// the 32-bit word.
///
/// ```text
///  31 29 28  24 23      13 12     8  7   6   5 4 3      0
///  +----+------+----------+--------+---+---+----+--------+
///  |    | GPC  |          | client | W | H |    | reason |
///  +----+------+----------+--------+---+---+----+--------+
///   W write     H client of the hub, otherwise of a GPC
/// ```
///
/// Source: envytools `rnndb/fifo/gf100_pfifo.xml`, `VM_FAULT.FLAGS`.
public final class FaultStatus {
    private static final BitField REASON = bits(3, 0);
    private static final BitField HUB = bit(6);
    private static final BitField WRITE = bit(7);
    private static final BitField CLIENT = bits(12, 8);
    private static final BitField GPC = bits(28, 24);

    /// Number of a TPC's clients: L1, TEX and POLY, numbered TPC by TPC
    /// (`rnndb/memory/gf100_vm.xml`, enum `GF100_VM_GPCCLIENT`).
    private static final int CLIENTS_PER_TPC = 3;

    private static final String[] TPC_CLIENTS = {"L1", "TEX", "POLY"};
    private static final int TPCS = 4;

    /// Clients of a GPC that belong to no TPC, numbered after the clients of the TPCs.
    private static final String[] GPC_CLIENTS = {"ESETUP", "CCACHE", "CTXCTL", "PROP"};

    private FaultStatus() {}

    /// Returns the word for an access through the hub.
    public static int ofHub(FaultReason reason, FaultClient client, boolean write) {
        return REASON.of(reason.code())
                | HUB.of(1)
                | WRITE.of(write ? 1 : 0)
                | CLIENT.of(client.code());
    }

    /// Returns the word for an access by a multiprocessor, through its first-level cache.
    ///
    /// @param tpc number of the TPC in the GPC, 0 to 3
    public static int ofMultiprocessor(FaultReason reason, int gpc, int tpc, boolean write) {
        return REASON.of(reason.code())
                | WRITE.of(write ? 1 : 0)
                | CLIENT.of(tpc * CLIENTS_PER_TPC)
                | GPC.of(gpc);
    }

    public static int reason(int status) {
        return REASON.get(status);
    }

    public static boolean isHub(int status) {
        return HUB.isSet(status);
    }

    public static boolean isWrite(int status) {
        return WRITE.isSet(status);
    }

    public static int client(int status) {
        return CLIENT.get(status);
    }

    public static int gpc(int status) {
        return GPC.get(status);
    }

    /// Returns the name of the client that made the access, for messages: `HUB/DISPATCH`,
    /// `GPC0/TPC2/L1`.
    public static String clientName(int status) {
        int client = client(status);
        if (isHub(status)) {
            return "HUB/" + FaultClient.nameOf(client);
        }
        int behindTpcs = client - TPCS * CLIENTS_PER_TPC;
        String name;
        if (behindTpcs < 0) {
            name =
                    "TPC%d/%s"
                            .formatted(
                                    client / CLIENTS_PER_TPC,
                                    TPC_CLIENTS[client % CLIENTS_PER_TPC]);
        } else if (behindTpcs < GPC_CLIENTS.length) {
            name = GPC_CLIENTS[behindTpcs];
        } else {
            name = "%#x".formatted(client);
        }
        return "GPC%d/%s".formatted(gpc(status), name);
    }
}
