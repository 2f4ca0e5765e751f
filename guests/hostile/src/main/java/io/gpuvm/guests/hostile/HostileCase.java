package io.gpuvm.guests.hostile;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// What hostile guests try.
enum HostileCase {
    VRAM_BEYOND(
            "pages of VRAM beyond the guest's part",
            "page( table)? .* at VRAM",
            (guest, other) -> new TableAttacks(guest, other).vramBeyond()),
    RAM_BEYOND(
            "pages of memory behind the guest's",
            "page of .* at SYSTEM_",
            (guest, other) -> new TableAttacks(guest, other).ramBeyond()),
    STRUCTURES(
            "pages of shadow tables, a neighbour's and the guest's own",
            "page of .* at SYSTEM_",
            (guest, other) -> new TableAttacks(guest, other).structures()),
    SELF_REFERENCE(
            "tables that are their own tables, written by the GPU",
            "page( table)? .* at ",
            (guest, other) -> new TableAttacks(guest, other).selfReference()),
    RACE(
            "a table that changes while it is read, and between flush and use",
            "page of .* at SYSTEM_",
            (guest, other) -> new TableAttacks(guest, other).race()),
    INSTANCE(
            "instance blocks elsewhere",
            "instance block=",
            (guest, other) -> new ChannelAttacks(guest, other).instance()),
    DIRECTORY(
            "page directories elsewhere",
            "page directory=",
            (guest, other) -> new ChannelAttacks(guest, other).directory()),
    USERD(
            "USERD areas elsewhere",
            "USERD=",
            (guest, other) -> new ChannelAttacks(guest, other).userd()),
    CONTEXT(
            "engine contexts at physical addresses",
            "engine context at a physical address",
            (guest, other) -> new ChannelAttacks(guest, other).context()),
    RUNLIST(
            "runlists elsewhere",
            "VRAM .*nothing there",
            (guest, other) -> new ChannelAttacks(guest, other).runlist()),
    IDS(
            "numbers of channels, engines, units and PBDMAs that do not exist",
            "undeclared register written|doorbells are not heard",
            2,
            (guest, other) -> new ChannelAttacks(guest, other).ids()),
    PRAMIN(
            "PRAMIN pointed beyond the guest's VRAM",
            "nothing there",
            (guest, other) -> new WindowAttacks(guest, other).pramin()),
    BAR1(
            "BAR1's page tables with a neighbour's VRAM",
            "nothing there|page of .* at VRAM",
            2,
            (guest, other) -> new WindowAttacks(guest, other).bar1()),
    MAPPED(
            "PRAMIN and BAR3, as memory, pointed at a neighbour's VRAM",
            "page of .* at VRAM",
            (guest, other) -> new WindowAttacks(guest, other).mapped()),
    KERNELS(
            "kernels that never end, that are wrong, or that nobody has written",
            ": kernel: |more GPU time",
            HostileCase.MANY,
            (guest, other) -> new KernelAttacks(guest).all()),
    KEPT_WINDOW("a mapping that is kept when the guest has gone", "", 0, null) {
        @Override
        void attack(Path socket, Victim neighbour, Consumer<String> findings) {
            new KeptWindow(socket, findings).attack();
        }
    },
    HALF_MESSAGES(
            "messages that break off, memory that is none",
            "refused: (size is|the pages of this file)",
            3,
            null) {
        @Override
        void attack(Path socket, Victim neighbour, Consumer<String> findings) {
            WireAttacks wire = new WireAttacks(socket);
            wire.halfMessages();
            wire.foreignMemory(findings);
        }
    };

    /// As many lines as one mistake after another makes, but not without end.
    private static final int MANY = -1;

    private static final int LINES_LIMIT = 100;

    private interface Attack {
        void on(HostileGuest guest, Victim neighbour);
    }

    private final String description;
    private final Pattern logged;
    private final int lines;
    private final Attack attack;

    HostileCase(String description, String logged, Attack attack) {
        this(description, logged, 1, attack);
    }

    /// @param logged regular expression that each line about it matches
    /// @param lines how many sorts of mistakes it makes, which are logged once each, or [#MANY]
    HostileCase(String description, String logged, int lines, Attack attack) {
        this.description = description;
        this.logged = Pattern.compile(logged);
        this.lines = lines;
        this.attack = attack;
    }

    /// @throws IllegalArgumentException if there is no such case
    static HostileCase named(String text) {
        for (HostileCase each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "case %s is unknown (known: %s)".formatted(text, HostileRun.caseNames()));
    }

    /// In a few words.
    String description() {
        return description;
    }

    /// What is wrong with the lines that the backend has logged about it, however often it was
    /// tried: there is one.
    List<String> wrongIn(List<String> lines) {
        boolean many = this.lines == MANY && !lines.isEmpty() && lines.size() <= LINES_LIMIT;
        if (!many && lines.size() != this.lines) {
            int limit = this.lines == MANY ? LINES_LIMIT : this.lines;
            return List.of("logged lines=%d, limit=%d".formatted(lines.size(), limit));
        }
        return lines.stream()
                .filter(line -> !logged.matcher(line).find())
                .map(line -> "logged something else: " + line)
                .toList();
    }

    /// As commands name it: `vram-beyond`.
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Tries all of it once.
    ///
    /// @param findings told of what succeeded
    void attack(Path socket, Victim neighbour, Consumer<String> findings) {
        try (HostileGuest guest = new HostileGuest(socket, findings)) {
            attack.on(guest, neighbour);
        }
    }
}
