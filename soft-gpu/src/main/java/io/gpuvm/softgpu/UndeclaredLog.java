package io.gpuvm.softgpu;

import io.gpuvm.gf100.unit.UndeclaredAccesses;
import io.gpuvm.logging.LogLimit;
import java.util.function.Consumer;

/// Logs registers that nobody declared, until there are many: a guest that walks the whole space
/// must not fill the log with it. Confined to the thread of the registers.
final class UndeclaredLog implements UndeclaredAccesses.FirstAccess {
    private static final int MOST_LINES = 200;

    private final Consumer<String> log;
    private final LogLimit lines = LogLimit.lines(MOST_LINES);

    /// @param log takes a line
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
            log.accept("undeclared registers: further ones are only counted");
        }
    }
}
