package io.gpuvm.top;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jline.terminal.Attributes;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/// Interactive view on a terminal, until the user quits.
public final class TopLoop {
    private static final int LEAST_ROWS = 3;
    private static final int USUAL_COLUMNS = 80;
    private static final int USUAL_ROWS = 24;

    /// Time within which the bytes of an arrow key follow one another, in milliseconds.
    private static final long SEQUENCE_MS = 30;

    private static final long MILLIS_TO_NANOS = 1_000_000;

    private final Supplier<List<TopBackend>> frames;
    private final Function<TopAction, String> actions;
    private final long intervalNs;
    private TopView view;
    private List<TopBackend> frame = List.of();
    private volatile boolean quits;

    /// @param frames reads all counters
    /// @param actions executes a change; returns a message
    public TopLoop(
            Supplier<List<TopBackend>> frames,
            Function<TopAction, String> actions,
            Duration interval,
            TopView view) {
        this.frames = frames;
        this.actions = actions;
        intervalNs = interval.toNanos();
        this.view = view;
    }

    /// Shows frames until the user quits or the terminal is gone.
    ///
    /// @throws IOException if the terminal is not usable
    public void run() throws IOException {
        frame = frames.get();
        try (Terminal terminal = TerminalBuilder.builder().system(true).dumb(false).build()) {
            Attributes before = terminal.enterRawMode();
            terminal.handle(Terminal.Signal.INT, _ -> quits = true);
            terminal.puts(Capability.enter_ca_mode);
            terminal.puts(Capability.cursor_invisible);
            try {
                show(terminal);
            } finally {
                terminal.puts(Capability.cursor_normal);
                terminal.puts(Capability.exit_ca_mode);
                terminal.flush();
                terminal.setAttributes(before);
            }
        }
    }

    private void show(Terminal terminal) throws IOException {
        NonBlockingReader keys = terminal.reader();
        long nextNs = System.nanoTime() + intervalNs;
        while (!quits) {
            draw(terminal);
            int key = read(keys, Math.max(1, (nextNs - System.nanoTime()) / MILLIS_TO_NANOS));
            if (key == NonBlockingReader.EOF) {
                return;
            }
            if (key != NonBlockingReader.READ_EXPIRED) {
                press(terminal, key);
            }
            if (System.nanoTime() - nextNs >= 0) {
                nextNs = System.nanoTime() + intervalNs;
                frame = view.isPaused() ? frame : frames.get();
            }
        }
    }

    private void press(Terminal terminal, int key) {
        TopKeys.Effect effect = TopKeys.press(view, frame, key);
        view = effect.view();
        quits |= effect.quits();
        if (effect.action() != null) {
            view = view.withMessage("waiting for the backend...");
            draw(terminal);
            view = view.withMessage(actions.apply(effect.action()));
            frame = frames.get();
        }
    }

    private void draw(Terminal terminal) {
        int columns =
                terminal.getSize().getColumns() > 0
                        ? terminal.getSize().getColumns()
                        : USUAL_COLUMNS;
        int rows = terminal.getSize().getRows() > 0 ? terminal.getSize().getRows() : USUAL_ROWS;
        boolean isUnicode = StandardCharsets.UTF_8.equals(terminal.encoding());
        TopScreen.Size size =
                new TopScreen.Size(columns, Math.max(LEAST_ROWS, rows), true, isUnicode);
        StringBuilder text = new StringBuilder("\u001b[H");
        List<String> lines = TopScreen.render(frame, view, size);
        for (int i = 0; i < lines.size(); i++) {
            text.append(i == 0 ? "" : "\r\n").append(lines.get(i)).append("\u001b[K");
        }
        text.append("\u001b[J");
        terminal.writer().write(text.toString());
        terminal.flush();
    }

    /// Reads a key. The sequences of arrow keys become [TopKeys#UP] and [TopKeys#DOWN].
    private static int read(NonBlockingReader keys, long limitMs) throws IOException {
        int key = keys.read(limitMs);
        if (key != TopKeys.ESCAPE) {
            return key;
        }
        int second = keys.read(SEQUENCE_MS);
        if (second != '[' && second != 'O') {
            return TopKeys.ESCAPE;
        }
        return switch (keys.read(SEQUENCE_MS)) {
            case 'A' -> TopKeys.UP;
            case 'B' -> TopKeys.DOWN;
            default -> NonBlockingReader.READ_EXPIRED;
        };
    }
}
