package io.gpuvm.guests.hostile;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Attack of a hostile guest.
enum HostileCase {
    VRAM_BEYOND(
            "pages of VRAM beyond the guest's share",
            "page( table)? .* at VRAM",
            (guest, other) -> new TableAttacks(guest, other).vramBeyond()),
    RAM_BEYOND(
            "pages of system memory beyond the guest's",
            "page of .* at SYSTEM_",
            (guest, other) -> new TableAttacks(guest, other).ramBeyond()),
    STRUCTURES(
            "pages of shadow tables of a neighbour and of the guest itself",
            "page of .* at SYSTEM_",
            (guest, other) -> new TableAttacks(guest, other).structures()),
    SELF_REFERENCE(
            "page tables that map themselves, written by the GPU",
            "page( table)? .* at ",
            (guest, other) -> new TableAttacks(guest, other).selfReference()),
    RACE(
            "a page table that changes during a read, and between flush and use",
            "page of .* at SYSTEM_",
            (guest, other) -> new TableAttacks(guest, other).race()),
    INSTANCE(
            "instance blocks outside the guest's memory",
            "instance block=",
            (guest, other) -> new ChannelAttacks(guest, other).instance()),
    DIRECTORY(
            "page directories outside the guest's memory",
            "page directory=",
            (guest, other) -> new ChannelAttacks(guest, other).directory()),
    USERD(
            "USERD areas outside the guest's memory",
            "USERD=",
            (guest, other) -> new ChannelAttacks(guest, other).userd()),
    CONTEXT(
            "engine contexts at physical addresses",
            "engine context at a physical address",
            (guest, other) -> new ChannelAttacks(guest, other).context()),
    RUNLIST(
            "runlists outside the guest's memory",
            "outside the guest's memory, VRAM",
            (guest, other) -> new ChannelAttacks(guest, other).runlist()),
    IDS(
            "undefined numbers of channels, engines, units and PBDMAs",
            "undeclared register written|doorbells in mapped memory are not trapped",
            2,
            (guest, other) -> new ChannelAttacks(guest, other).ids()),
    PRAMIN(
            "PRAMIN pointed beyond the guest's VRAM",
            "outside the guest's memory",
            (guest, other) -> new WindowAttacks(guest, other).pramin()),
    BAR1(
            "page tables of BAR1 that map a neighbour's VRAM",
            "outside the guest's memory|page of .* at VRAM",
            2,
            (guest, other) -> new WindowAttacks(guest, other).bar1()),
    MAPPED(
            "PRAMIN and BAR3, mapped as memory, pointed at a neighbour's VRAM",
            "page of .* at VRAM",
            (guest, other) -> new WindowAttacks(guest, other).mapped()),
    KERNELS(
            "kernels that never end, invalid kernels, random kernels",
            ": kernel: ",
            HostileCase.MANY,
            (guest, other) -> new KernelAttacks(guest).all()),
    KEPT_WINDOW("a mapping that a disconnected guest retains", "", 0, null) {
        @Override
        void attack(Path socket, Victim neighbour, Consumer<String> findings) {
            new KeptWindow(socket, findings).attack();
        }
    },
    HALF_MESSAGES(
            "truncated messages, guest memory in files that are not memory",
            "refused: (size (is|exceeds)|access to pages of this file)",
            3,
            null) {
        @Override
        void attack(Path socket, Victim neighbour, Consumer<String> findings) {
            WireAttacks wire = new WireAttacks(socket);
            wire.halfMessages();
            wire.foreignMemory(findings);
        }
    };

    /// Value for a case with repeated errors of several kinds: at most [#LINES_LIMIT] lines.
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

    /// @param logged regular expression that each log line about the case must match
    /// @param lines number of kinds of errors, each logged once, or [#MANY]
    HostileCase(String description, String logged, int lines, Attack attack) {
        this.description = description;
        this.logged = Pattern.compile(logged);
        this.lines = lines;
        this.attack = attack;
    }

    /// @throws IllegalArgumentException if no case has this name
    static HostileCase named(String text) {
        for (HostileCase each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        throw new IllegalArgumentException(
                "case=%s, expected one of %s"
                        .formatted(text, String.join(", ", HostileRun.caseNames())));
    }

    /// Returns a short description.
    String description() {
        return description;
    }

    /// Returns the errors in the backend's log lines about the case. Each kind of error must be
    /// logged once, however often the case ran.
    List<String> wrongIn(List<String> lines) {
        boolean many = this.lines == MANY && !lines.isEmpty() && lines.size() <= LINES_LIMIT;
        if (!many && lines.size() != this.lines) {
            String expected =
                    this.lines == MANY ? "1 to " + LINES_LIMIT : Integer.toString(this.lines);
            return List.of("logged lines=%d, expected %s".formatted(lines.size(), expected));
        }
        return lines.stream()
                .filter(line -> !logged.matcher(line).find())
                .map(line -> "unexpected log line: " + line)
                .toList();
    }

    /// Returns the name on command lines, for instance `vram-beyond`.
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Runs the attack once.
    ///
    /// @param findings receives a text for each operation that succeeded but must fail
    void attack(Path socket, Victim neighbour, Consumer<String> findings) {
        try (HostileGuest guest = new HostileGuest(socket, findings)) {
            attack.on(guest, neighbour);
        }
    }
}
