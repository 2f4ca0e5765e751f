package io.gpuvm.port;

/// Ring of completions. All operands of a completion equal its number.
class CompletionRingState {
    private final CompletionRing ring;
    private final Taker taker = new Taker();

    /// @param capacity number of slots
    /// @param published number of slots already filled, with completions 1, 2, ...
    CompletionRingState(int capacity, int published) {
        ring = new CompletionRing(capacity);
        for (int n = 1; n <= published; n++) {
            publish(n);
        }
    }

    /// @return whether a slot was free
    final boolean publish(int n) {
        return ring.graphTrap(n, n, n, n, n, n);
    }

    /// Consumes all available completions.
    ///
    /// @return numbers of the completions as digits of a decimal number, in order; 0 without
    ///   completions; the digit 9 for a completion whose operands differ
    final int take() {
        taker.seen = 0;
        ring.poll(taker);
        return taker.seen;
    }

    private static final class Taker extends IgnoredCompletions {
        private static final int BASE = 10;
        private static final int TORN = 9;

        private int seen;

        @Override
        public void onGraphTrap(
                int channel, int interrupts, int address, int data, int code, int classId) {
            boolean whole =
                    channel == interrupts
                            && channel == address
                            && channel == data
                            && channel == code
                            && channel == classId;
            seen = BASE * seen + (whole ? channel : TORN);
        }
    }
}
