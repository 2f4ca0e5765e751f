package io.gpuvm.bench.pv;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpuvm.workloads.measure.Figures;
import io.gpuvm.workloads.measure.Spread;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/// Performance of one guest's rings, measured in rounds. Immutable.
///
/// The backend has no other work. Neither side ever sleeps, because both always have work.
record RingFigures(List<Round> rounds) {
    private static final int ROUND_TRIPS = 200_000;
    private static final int NOPS = 1_000_000;
    private static final int BATCHES = 2_000;
    private static final int THROUGH_THE_GPU = 2_000;

    /// Number of commands that map a million pages. The pages of each command fit into the default
    /// data area.
    private static final int PIECES = 16;

    private static final int PAGES_OF_PIECE = 62_500;

    /// Figures of one round: nanoseconds per round trip, and amounts per second.
    ///
    /// @param pingPongNs round trip between two threads with one word each
    /// @param nopNs round trip of a NOP and its completion
    /// @param gpuNs time from a submission until the guest reads the fence written by the GPU
    /// @param nops NOPs per second, in bursts
    /// @param mixed commands per second, in batches of 64
    /// @param mapped pages mapped per second, a million pages in one batch
    /// @param unmapped pages unmapped per second, the same million pages in one command
    record Round(
            double pingPongNs,
            double nopNs,
            double gpuNs,
            double nops,
            double mixed,
            double mapped,
            double unmapped) {
        /// Returns the duration of a NOP relative to that of the ping-pong.
        double ratio() {
            return nopNs / pingPongNs;
        }
    }

    RingFigures {
        rounds = List.copyOf(rounds);
    }

    /// @param socket socket of a backend without other guests
    /// @param warmups number of unmeasured rounds before the measured rounds
    static RingFigures measure(Path socket, int warmups, int rounds) throws InterruptedException {
        List<Round> measured = new ArrayList<>();
        try (RingGuest guest = new RingGuest(socket);
                PingPong pingPong = new PingPong()) {
            for (int i = -warmups; i < rounds; i++) {
                Round round = round(guest, pingPong);
                if (i >= 0) {
                    measured.add(round);
                }
            }
        }
        return new RingFigures(measured);
    }

    private static Round round(RingGuest guest, PingPong pingPong) throws InterruptedException {
        return new Round(
                pingPong.measure(ROUND_TRIPS).nsEach(),
                guest.roundTrips(ROUND_TRIPS).nsEach(),
                guest.throughTheGpu(THROUGH_THE_GPU).nsEach(),
                guest.nops(NOPS / RingGuest.BURST).perSecond(),
                guest.batches(BATCHES).perSecond(),
                guest.map(PIECES, PAGES_OF_PIECE).perSecond(),
                guest.unmap(PIECES, PAGES_OF_PIECE).perSecond());
    }

    /// Returns one line per figure.
    String toLines() {
        return "ping-pong of two threads     %12s%n".formatted(time(Round::pingPongNs))
                + "NOP, through the ring        %12s  %s times the ping-pong time%n"
                        .formatted(time(Round::nopNs), "%.2f".formatted(median(Round::ratio)))
                + "fence, through ring and GPU  %12s%n".formatted(time(Round::gpuNs))
                + "NOPs                         %12s%n".formatted(rate(Round::nops))
                + "commands in batches of 64    %12s%n".formatted(rate(Round::mixed))
                + "pages mapped                 %12s%n".formatted(rate(Round::mapped))
                + "pages unmapped               %12s%n".formatted(rate(Round::unmapped));
    }

    ObjectNode toJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("rounds", rounds.size());
        add(node, "pingPongNs", Round::pingPongNs);
        add(node, "nopNs", Round::nopNs);
        add(node, "nopToPingPong", Round::ratio);
        add(node, "gpuFenceNs", Round::gpuNs);
        add(node, "nopsPerSecond", Round::nops);
        add(node, "mixedCommandsPerSecond", Round::mixed);
        add(node, "mappedPagesPerSecond", Round::mapped);
        add(node, "unmappedPagesPerSecond", Round::unmapped);
        return node;
    }

    private void add(ObjectNode node, String name, ToDoubleFunction<Round> figure) {
        Spread spread = spread(figure);
        node.putObject(name)
                .put("min", spread.least())
                .put("median", spread.median())
                .put("max", spread.most());
    }

    private String time(ToDoubleFunction<Round> ns) {
        return Figures.duration(median(ns));
    }

    private String rate(ToDoubleFunction<Round> perSecond) {
        return Figures.rate(median(perSecond), "");
    }

    private double median(ToDoubleFunction<Round> figure) {
        return spread(figure).median();
    }

    private Spread spread(ToDoubleFunction<Round> figure) {
        return Spread.of(rounds.stream().mapToDouble(figure).toArray());
    }
}
