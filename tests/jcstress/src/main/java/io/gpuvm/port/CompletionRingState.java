package io.gpuvm.port;

/// A ring of answers, all operands of which are the answer's number.
class CompletionRingState {
    private final CompletionRing ring;
    private final Taker taker = new Taker();

    /// @param capacity how many places there are
    /// @param published how many are taken already, by answers 1, 2, ...
    CompletionRingState(int capacity, int published) {
        ring = new CompletionRing(capacity);
        for (int n = 1; n <= published; n++) {
            publish(n);
        }
    }

    /// @return whether there was room
    final boolean publish(int n) {
        return ring.graphTrap(n, n, n, n, n, n);
    }

    /// Takes answers out.
    ///
    /// @return their numbers as digits of a decimal number, the first one first; 0 if there is
    ///   none; a 9 for one whose operands differ
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
