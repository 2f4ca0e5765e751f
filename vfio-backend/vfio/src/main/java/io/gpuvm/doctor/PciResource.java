package io.gpuvm.doctor;

import io.gpuvm.vfio.PciFunction;
import java.util.List;

/// One region of a PCI function, as a line of the file `resource`.
///
/// @param start bus address, 0 if none is assigned
/// @param bytes size of the region, 0 if there is no such region
/// @param flags `IORESOURCE_*` of `include/linux/ioport.h`
record PciResource(long start, long bytes, long flags) {
    private static final long IORESOURCE_MEM = 0x200;
    private static final long IORESOURCE_MEM_64 = 0x100000;
    private static final long IORESOURCE_UNSET = 0x20000000;

    /// Number of BARs, which precede the ROM.
    private static final int BARS = 6;

    /// Returns all BARs, by number; fewer if this user may not read them.
    static List<PciResource> bars(PciFunction function) {
        return function.text("resource").stream()
                .flatMap(String::lines)
                .limit(BARS)
                .map(PciResource::parse)
                .toList();
    }

    private static PciResource parse(String line) {
        String[] words = line.split(" ");
        long start = Long.decode(words[0]);
        long end = Long.decode(words[1]);
        return new PciResource(start, end == 0 ? 0 : end - start + 1, Long.decode(words[2]));
    }

    boolean isMemory() {
        return (flags & IORESOURCE_MEM) != 0;
    }

    boolean is64Bit() {
        return (flags & IORESOURCE_MEM_64) != 0;
    }

    /// Returns whether the region has a size, but no address.
    boolean isUnplaced() {
        return bytes > 0 && (start == 0 || (flags & IORESOURCE_UNSET) != 0);
    }
}
