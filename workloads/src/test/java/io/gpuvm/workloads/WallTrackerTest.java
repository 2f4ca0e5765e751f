package io.gpuvm.workloads;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WallTrackerTest {
    private static final int FRAMES = 17;

    private final long seed = System.nanoTime();

    @Test
    void givenBeatingHeart_whenTracked_thenPointsFollowWalls() {
        int[] trace = WallTracker.track(HeartVideo.random(FRAMES, seed).frames());

        for (int frame = 0; frame < FRAMES; frame++) {
            double scale = HeartVideo.scale(frame);
            double inner = meanRadius(trace, frame, 0, WallTracker.INNER_POINTS);
            double outer = meanRadius(trace, frame, WallTracker.INNER_POINTS, WallTracker.POINTS);
            String where = "frame=" + frame + ", seed=" + seed;
            assertEquals(HeartVideo.INNER_RADIUS * scale, inner, 1, where);
            assertEquals(HeartVideo.OUTER_RADIUS * scale, outer, 1, where);
        }
    }

    @Test
    void givenHeart_whenHalfBeatHasPassed_thenHeartIsWider() {
        assertEquals(1, HeartVideo.scale(0));
        assertTrue(HeartVideo.scale(FRAMES / 2) > 1.07);
    }

    @Test
    void givenVideo_whenGenerated_thenShadesAreInRangeAndDeterminedBySeed() {
        int[][] frames = HeartVideo.random(3, seed).frames();

        for (int[] frame : frames) {
            assertEquals(HeartVideo.SIDE * HeartVideo.SIDE, frame.length);
            int most = Arrays.stream(frame).max().orElseThrow();
            assertTrue(most < HeartVideo.SHADES && most > 0, "most=" + most);
        }
        assertArrayEquals(frames, HeartVideo.random(3, seed).frames());
    }

    @Test
    void givenLinearlyChangedTemplate_whenScored_thenNoOtherPartHasHigherScore() {
        SplittableRandom random = new SplittableRandom(seed);
        int[] template = random.ints(WallTracker.PIXELS, 0, 30).toArray();
        int[] brighter = Arrays.stream(template).map(pixel -> 2 * pixel + 3).toArray();
        int[] inverse = Arrays.stream(template).map(pixel -> 63 - 2 * pixel).toArray();
        int[] other = random.ints(WallTracker.PIXELS, 0, HeartVideo.SHADES).toArray();
        int[] flat = new int[WallTracker.PIXELS];

        float best = WallTracker.score(template, brighter);

        assertEquals(WallTracker.score(template, template), best, best * 1e-6);
        assertEquals(-best, WallTracker.score(template, inverse), best * 1e-6);
        assertTrue(WallTracker.score(template, other) < best, "seed=" + seed);
        assertEquals(0, WallTracker.score(template, flat));
    }

    private static double meanRadius(int[] trace, int frame, int from, int to) {
        double sum = 0;
        for (int point = from; point < to; point++) {
            int at = (frame * WallTracker.POINTS + point) * WallTracker.POSITION;
            sum += Math.hypot(trace[at] - HeartVideo.CENTRE, trace[at + 1] - HeartVideo.CENTRE);
        }
        return sum / (to - from);
    }
}
