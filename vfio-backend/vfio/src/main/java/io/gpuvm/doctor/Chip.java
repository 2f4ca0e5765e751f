package io.gpuvm.doctor;

import java.util.Arrays;
import java.util.Optional;

/// Chips of the Fermi family, identified by the PCI device ids of their cards.
///
/// Source: envytools `docs/hw/gpu.rst`, table of the Fermi family: the board maker chooses the last
/// bits of an id.
enum Chip {
    GF100(0x06c0, 0x06df),
    GF104(0x0e20, 0x0e3f),
    GF106(0x0dc0, 0x0ddf),
    GF108(0x0de0, 0x0dff),
    GF110(0x1080, 0x109f),
    GF114(0x1200, 0x123f),
    GF116(0x1240, 0x125f),
    GF117(0x1140, 0x1140),
    GF119(0x1040, 0x107f);

    private final int first;
    private final int last;

    Chip(int first, int last) {
        this.first = first;
        this.last = last;
    }

    static Optional<Chip> of(int device) {
        return Arrays.stream(values())
                .filter(chip -> device >= chip.first && device <= chip.last)
                .findFirst();
    }
}
