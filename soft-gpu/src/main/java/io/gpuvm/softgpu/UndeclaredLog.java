package io.gpuvm.softgpu;

import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.logging.LogLimit;
import java.util.function.Consumer;

/// Log of accesses to undeclared registers, limited to [#MOST_LINES] lines: a guest that scans the
/// whole register space must not flood the log. Confined to the register thread.
final class UndeclaredLog implements UndeclaredAccesses.FirstAccess {
    private static final int MOST_LINES = 200;

    private final Consumer<String> log;
    private final LogLimit lines = LogLimit.lines(MOST_LINES);

    /// @param log receives each line
    UndeclaredLog(Consumer<String> log) {
        this.log = log;
    }

    @Override
    public void on(int offset, boolean written) {
        if (!lines.spend()) {
            return;
        }
        log.accept(UndeclaredAccesses.text(offset, written));
        if (lines.isSpent()) {
            log.accept(
                    "undeclared registers: limit=%d lines, later accesses are only counted"
                            .formatted(MOST_LINES));
        }
    }
}
