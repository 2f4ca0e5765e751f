package io.gpuvm.gf100.unit.fifo;

import java.util.Arrays;

/// Legal transitions of a channel's state: for each state, the next state of each legal transition.
/// All other transitions are refused.
///
/// Immutable and thread-safe; lookups allocate nothing.
///
/// @param <S> states
/// @param <T> names of transitions
public final class TransitionTable<S extends Enum<S>, T extends Enum<T>> {
    private static final int REFUSED = -1;

    private final S[] states;

    /// Ordinal of the next state, by ordinals of state and transition; [#REFUSED] for an illegal
    /// transition.
    private final int[][] next;

    private TransitionTable(S[] states, int[][] next) {
        this.states = states;
        this.next = next;
    }

    /// Returns a builder without legal transitions.
    public static <S extends Enum<S>, T extends Enum<T>> Builder<S, T> of(
            Class<S> states, Class<T> transitions) {
        return new Builder<>(states, transitions);
    }

    /// Returns whether a transition is legal in a state.
    public boolean allows(S from, T transition) {
        return next[from.ordinal()][transition.ordinal()] != REFUSED;
    }

    /// Returns the state to which a transition leads.
    ///
    /// @throws IllegalStateException if the transition is illegal in this state
    public S after(S from, T transition) {
        int to = next[from.ordinal()][transition.ordinal()];
        if (to == REFUSED) {
            throw new IllegalStateException(
                    "state=%s, transition=%s, expected a legal transition"
                            .formatted(from, transition));
        }
        return states[to];
    }

    /// Builder that collects the legal transitions of a table.
    ///
    /// @param <S> states
    /// @param <T> names of transitions
    public static final class Builder<S extends Enum<S>, T extends Enum<T>> {
        private final S[] states;
        private final int[][] next;

        private Builder(Class<S> states, Class<T> transitions) {
            this.states = states.getEnumConstants();
            next = new int[this.states.length][transitions.getEnumConstants().length];
            for (int[] row : next) {
                Arrays.fill(row, REFUSED);
            }
        }

        /// Makes a transition legal in state `from`; it leads to state `to`.
        public Builder<S, T> allow(T transition, S from, S to) {
            next[from.ordinal()][transition.ordinal()] = to.ordinal();
            return this;
        }

        /// Returns the table.
        public TransitionTable<S, T> build() {
            int[][] copy = new int[next.length][];
            for (int i = 0; i < next.length; i++) {
                copy[i] = next[i].clone();
            }
            return new TransitionTable<>(states, copy);
        }
    }
}
