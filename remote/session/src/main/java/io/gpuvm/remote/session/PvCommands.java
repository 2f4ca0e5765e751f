package io.gpuvm.remote.session;

import io.gpuvm.pv.protocol.CommandEntry;
import io.gpuvm.pv.protocol.CommandOpcode;
import io.gpuvm.pv.protocol.FenceDeclareCommand;
import io.gpuvm.pv.protocol.FenceQueryCommand;
import io.gpuvm.pv.protocol.FenceWaitCommand;
import java.lang.foreign.MemorySegment;

/// Commands of a paravirtual session as both of its ends see them: they determine the pages and
/// fences whose changes are sent.
final class PvCommands {
    private final AreaTwin area;
    private final DeclaredFences fences;
    private final TrackedPages pages;
    private final CommandEntry command;
    private final FenceDeclareCommand declare;
    private final FenceQueryCommand query;
    private final FenceWaitCommand wait;

    /// @param entry memory that contains each command at offset 0
    /// @param mappedPages quota of mapped pages
    PvCommands(
            MemorySegment data,
            AreaTwin area,
            DeclaredFences fences,
            MemorySegment entry,
            long mappedPages) {
        this.area = area;
        this.fences = fences;
        pages = new TrackedPages(data, fences, entry, mappedPages);
        command = new CommandEntry().wrap(entry, 0);
        declare = new FenceDeclareCommand().wrap(entry, 0);
        query = new FenceQueryCommand().wrap(entry, 0);
        wait = new FenceWaitCommand().wrap(entry, 0);
    }

    TrackedPages pages() {
        return pages;
    }

    /// Follows the current command, which is passed on.
    ///
    /// @return its opcode; null if it is unknown
    /// @throws SessionException if the program has declared too many fences
    CommandOpcode follow() {
        CommandOpcode opcode = CommandOpcode.of(command.opcode());
        if (opcode == null) {
            return null;
        }
        switch (opcode) {
            case FENCE_DECLARE -> declare();
            case FENCE_QUERY -> use(query.offset());
            case FENCE_WAIT -> use(wait.offset());
            default -> pages.follow(opcode);
        }
        return opcode;
    }

    /// Returns whether the backend may read what the program has written before a command.
    static boolean mayRead(CommandOpcode opcode) {
        return switch (opcode) {
            case SUBMIT, MAP_LIST, FENCE_QUERY, FENCE_WAIT -> true;
            case null, default -> false;
        };
    }

    private void declare() {
        long words = Integer.toUnsignedLong(declare.count());
        long offset = declare.offset();
        if (!area.contains(offset, words * Integer.BYTES)) {
            return;
        }
        long most = FenceDeclareCommand.MOST_WORDS;
        for (long i = 0; i < words; i++) {
            if (!fences.declare(area, offset + i * Integer.BYTES)) {
                throw new SessionException(
                        "declared fences=%d, limit=%d".formatted(fences.count() + words - i, most));
            }
        }
    }

    /// Declares a word that a command names. If there are too many, the word is data.
    private void use(long offset) {
        if (area.contains(offset, Integer.BYTES) && !fences.declare(area, offset)) {
            pages.trackForGood(offset, Integer.BYTES);
        }
    }
}
