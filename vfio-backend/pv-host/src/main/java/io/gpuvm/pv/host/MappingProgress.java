package io.gpuvm.pv.host;

import io.gpuvm.pv.protocol.CommandStatus;

/// Progress of a mapping over several turns; answers its command when the GPU can use the changed
/// entries. Confined to the poller; no method allocates.
final class MappingProgress {
    private final Mapping mapping;
    private final SpaceFlushes flushes;
    private final Answers answers;
    private final CommandOutcome outcome;
    private final GuestCounts counts;

    MappingProgress(GuestState state, CommandOutcome outcome) {
        this.outcome = outcome;
        mapping = state.mapping();
        flushes = state.flushes();
        answers = state.answers();
        counts = state.counts();
    }

    /// Continues the mapping in progress.
    ///
    /// @param limit approximate number of entries to write or read, at least 1
    /// @return number of entries written or read
    int advance(int limit) {
        boolean ended = mapping.advance(limit);
        counts.add(PvCounter.PAGE_TABLE_WORK, mapping.work());
        boolean changed = mapping.done() > 0;
        flushes.note(mapping.space(), ended && changed);
        if (ended) {
            answer(changed && mapping.space().shown);
        }
        return mapping.work();
    }

    private void answer(boolean whenFlushed) {
        CommandStatus status = mapping.status();
        if (!outcome.note(status, mapping.isQuiet(), mapping.isLinked())) {
            return;
        }
        if (whenFlushed) {
            answers.hold(status, mapping.correlation(), mapping.done());
        } else {
            answers.answer(status, mapping.correlation(), mapping.done(), 0);
        }
    }
}
