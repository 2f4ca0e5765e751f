package io.gpuvm.softgpu.sm;

import java.util.Random;

/// Typical and unusual masks and addresses of a warp's lanes.
final class RandomLanes {
    private static final int LANES = 32;
    private static final int HALF = LANES / 2;

    private final Random random;

    RandomLanes(Random random) {
        this.random = random;
    }

    /// Returns the lanes of an access: at least one, often all.
    int mask() {
        return switch (random.nextInt(6)) {
            case 0 -> 1 << random.nextInt(LANES);
            case 1 -> -1 >>> random.nextInt(LANES);
            case 2 -> -1 << random.nextInt(LANES);
            case 3 -> Math.max(1, random.nextInt());
            default -> -1;
        };
    }

    /// Returns addresses of aligned accesses: equal, in runs, in halves, in a page, in steps or
    /// random.
    ///
    /// @param bytes width of an access
    /// @param limit upper bound of the addresses, exclusive
    /// @param page page size, a power of two; often, few pages contain all addresses
    int[] addresses(int bytes, int limit, int page) {
        int count = limit / page;
        int pages = random.nextInt(3) == 0 ? count : Math.min(count, 2 + random.nextInt(3));
        int lowest = random.nextInt(count - pages + 1) * page;
        int start = lowest + aligned(pages * page, bytes);
        int second = lowest + aligned(pages * page, bytes);
        int pattern = random.nextInt(8);
        int period = 1 << random.nextInt(6);
        int[] addresses = new int[LANES];
        for (int l = 0; l < LANES; l++) {
            int address =
                    switch (pattern) {
                        case 0 -> start;
                        case 1 -> start + l * bytes;
                        case 2 -> (l < HALF ? start : second) + l % HALF * bytes;
                        case 3 -> l < HALF ? start : second;
                        case 4 -> start / page * page + aligned(page, bytes);
                        case 5 -> start + l / period * page + l % period * bytes;
                        case 6 -> start + l * period * bytes;
                        default -> lowest + aligned(pages * page, bytes);
                    };
            addresses[l] = Math.min(address, limit - bytes) & -bytes;
        }
        return addresses;
    }

    private int aligned(int limit, int bytes) {
        return random.nextInt(limit) & -bytes;
    }
}
