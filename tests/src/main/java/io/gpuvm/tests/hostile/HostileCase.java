package io.gpuvm.tests.hostile;

import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;

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
            "nothing there",
            (guest, other) -> new ChannelAttacks(guest, other).runlist()),
    IDS(
            "numbers of channels, engines, units and PBDMAs that do not exist",
            "undeclared register written",
            (guest, other) -> new ChannelAttacks(guest, other).ids()),
    PRAMIN(
            "PRAMIN pointed beyond the guest's VRAM",
            "nothing there",
            (guest, other) -> new WindowAttacks(guest, other).pramin()),
    BAR1(
            "BAR1's page tables with a neighbour's VRAM",
            "nothing there",
            (guest, other) -> new WindowAttacks(guest, other).bar1()),
    HALF_MESSAGES("messages that break off", "refused: message", null) {
        @Override
        void attack(Path socket, Neighbour neighbour, Consumer<String> findings) {
            new WireAttacks(socket).halfMessages();
        }
    };

    private interface Attack {
        void on(HostileGuest guest, Neighbour neighbour);
    }

    private final String description;
    private final String logged;
    private final Attack attack;

    HostileCase(String description, String logged, Attack attack) {
        this.description = description;
        this.logged = logged;
        this.attack = attack;
    }

    /// In a few words.
    String description() {
        return description;
    }

    /// Regular expression for the one line that the backend logs about it.
    String logged() {
        return logged;
    }

    /// As commands name it: `vram-beyond`.
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /// Tries all of it once.
    ///
    /// @param findings told of what succeeded
    void attack(Path socket, Neighbour neighbour, Consumer<String> findings) {
        try (HostileGuest guest = new HostileGuest(socket, findings)) {
            attack.on(guest, neighbour);
        }
    }
}
