package io.gpuvm.pv.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of the division of a virtual machine's channels among its sessions.
class ChannelSharesTest {
    @ParameterizedTest
    @CsvSource({
        "32, 1, 32",
        "32, 16, 17",
        "32, 4, 20",
        "16, 16, 8",
        "8, 4, 5",
        "8, 16, 4",
        "1, 2, 1"
    })
    void givenSingleSession_whenAllChannelsAreRequested_thenHalfIsKeptForSiblings(
            int channels, int sessions, int most) {
        ChannelShares shares = new ChannelShares(channels, sessions);
        assertEquals(most, shares.mostOfOne());
        assertEquals(most, takeAll(shares, 0).size());
    }

    @Test
    void givenGreedySession_whenSiblingsTakeChannels_thenEachGetsPart() {
        ChannelShares shares = new ChannelShares(32, 4);
        takeAll(shares, 0);
        for (int session = 1; session < 4; session++) {
            assertEquals(4, takeAll(shares, session).size());
        }
    }

    @Test
    void givenFewerChannelsThanSessions_whenAllTakeChannels_thenEachSiblingGetsOneOfKeptHalf() {
        ChannelShares shares = new ChannelShares(8, 16);
        assertEquals(4, takeAll(shares, 0).size());
        for (int session = 1; session <= 4; session++) {
            assertEquals(1, takeAll(shares, session).size());
        }
        assertEquals(ChannelShares.NONE, shares.take(5));
    }

    @Test
    void givenTakenChannels_whenReturned_thenSiblingTakesChannels() {
        ChannelShares shares = new ChannelShares(8, 4);
        List<Integer> first = takeAll(shares, 0);
        first.forEach(number -> shares.giveBack(0, number));
        assertEquals(5, takeAll(shares, 3).size());
    }

    @Test
    void
            givenRandomSessions_whenChannelsAreTakenAndReturned_thenNumbersAreUniqueAndPartsAreAvailable() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int channels = 16;
        int sessions = 4;
        int part = 2;
        ChannelShares shares = new ChannelShares(channels, sessions);
        List<List<Integer>> held = new ArrayList<>();
        for (int session = 0; session < sessions; session++) {
            held.add(new ArrayList<>());
        }
        for (int step = 0; step < 10_000; step++) {
            int session = random.nextInt(sessions);
            List<Integer> own = held.get(session);
            if (random.nextInt(3) == 0 && !own.isEmpty()) {
                shares.giveBack(session, own.remove(random.nextInt(own.size())));
                continue;
            }
            int number = shares.take(session);
            assertTrue(number != ChannelShares.NONE || own.size() >= part, () -> "seed=" + seed);
            if (number != ChannelShares.NONE) {
                own.add(number);
            }
            List<Integer> all = held.stream().flatMap(List::stream).toList();
            assertEquals(all.size(), new HashSet<>(all).size(), () -> "seed=" + seed);
        }
    }

    private static List<Integer> takeAll(ChannelShares shares, int session) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = shares.take(session);
                number != ChannelShares.NONE;
                number = shares.take(session)) {
            numbers.add(number);
        }
        return numbers;
    }
}
