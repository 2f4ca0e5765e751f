package io.gpuvm.workloads;

/// Tracking of points on the walls of a heart, computed directly from the definition.
///
/// The template of a point is a square around the point in the first frame. In each subsequent
/// frame, the point moves to the position near its previous position at which the normalized
/// cross-correlation with the template is greatest, the first of several such positions. The
/// template then adapts to the frame.
final class WallTracker {
    /// Number of points on the inner wall, as in Rodinia.
    static final int INNER_POINTS = 20;

    /// Number of points on the outer wall, as in Rodinia.
    static final int OUTER_POINTS = 31;

    static final int POINTS = INNER_POINTS + OUTER_POINTS;

    /// Number of words of a position: row and column.
    static final int POSITION = 2;

    static final int TEMPLATE_RADIUS = 8;
    static final int TEMPLATE = 2 * TEMPLATE_RADIUS + 1;

    /// Number of pixels of a template.
    static final int PIXELS = TEMPLATE * TEMPLATE;

    /// Maximum displacement of a point from one frame to the next, in each direction.
    static final int SEARCH_RADIUS = 6;

    /// Minimum distance of a point from the frame's edge.
    private static final int MARGIN = TEMPLATE_RADIUS + SEARCH_RADIUS;

    private static final int SIDE = HeartVideo.SIDE;

    /// Weight of the old template in the new template; the frame has the weight 1.
    private static final int OLD_WEIGHT = 7;

    /// Sum of both weights.
    private static final int WEIGHTS = 8;

    private final int[][] templates = new int[POINTS][];
    private final int[] positions = initialPositions();

    private WallTracker() {}

    /// Returns the positions in the first frame.
    static int[] initialPositions() {
        int[] positions = new int[POINTS * POSITION];
        for (int i = 0; i < POINTS; i++) {
            boolean inner = i < INNER_POINTS;
            int radius = inner ? HeartVideo.INNER_RADIUS : HeartVideo.OUTER_RADIUS;
            double turns =
                    inner ? (double) i / INNER_POINTS : (double) (i - INNER_POINTS) / OUTER_POINTS;
            double angle = 2 * Math.PI * turns;
            positions[i * POSITION] = around(radius * StrictMath.sin(angle));
            positions[i * POSITION + 1] = around(radius * StrictMath.cos(angle));
        }
        return positions;
    }

    private static int around(double distance) {
        return HeartVideo.CENTRE + (int) Math.round(distance);
    }

    /// Returns the positions of all points in all frames, frame by frame.
    static int[] track(int[][] frames) {
        WallTracker tracker = new WallTracker();
        int[] trace = new int[frames.length * POINTS * POSITION];
        for (int frame = 0; frame < frames.length; frame++) {
            for (int point = 0; point < POINTS; point++) {
                if (frame == 0) {
                    tracker.templates[point] = tracker.part(frames[0], point, 0, 0);
                } else {
                    tracker.follow(frames[frame], point);
                }
            }
            int[] now = tracker.positions;
            System.arraycopy(now, 0, trace, frame * now.length, now.length);
        }
        return trace;
    }

    private void follow(int[] frame, int point) {
        int[] template = templates[point];
        float best = Float.NEGATIVE_INFINITY;
        int[] bestPart = null;
        int bestDown = 0;
        int bestRight = 0;
        for (int down = -SEARCH_RADIUS; down <= SEARCH_RADIUS; down++) {
            for (int right = -SEARCH_RADIUS; right <= SEARCH_RADIUS; right++) {
                int[] part = part(frame, point, down, right);
                float score = score(template, part);
                if (score > best) {
                    best = score;
                    bestPart = part;
                    bestDown = down;
                    bestRight = right;
                }
            }
        }
        adapt(template, bestPart);
        positions[point * POSITION] = inside(positions[point * POSITION] + bestDown);
        positions[point * POSITION + 1] = inside(positions[point * POSITION + 1] + bestRight);
    }

    private static int inside(int coordinate) {
        return Math.clamp(coordinate, MARGIN, SIDE - 1 - MARGIN);
    }

    /// Returns the pixels around the displaced position of a point.
    private int[] part(int[] frame, int point, int down, int right) {
        int firstRow = positions[point * POSITION] + down - TEMPLATE_RADIUS;
        int firstColumn = positions[point * POSITION + 1] + right - TEMPLATE_RADIUS;
        int[] part = new int[PIXELS];
        for (int row = 0; row < TEMPLATE; row++) {
            int from = (firstRow + row) * SIDE + firstColumn;
            System.arraycopy(frame, from, part, row * TEMPLATE, TEMPLATE);
        }
        return part;
    }

    /// Returns the square of the normalized cross-correlation with its sign, times the template's
    /// variance, which is the same for all parts. A part without any variance has the score 0.
    static float score(int[] template, int[] part) {
        int sum = 0;
        int squares = 0;
        int templateSum = 0;
        int products = 0;
        for (int i = 0; i < PIXELS; i++) {
            sum += part[i];
            squares += part[i] * part[i];
            templateSum += template[i];
            products += part[i] * template[i];
        }
        float covariance = PIXELS * products - templateSum * sum;
        float variance = Math.max(1, PIXELS * squares - sum * sum);
        return covariance * Math.abs(covariance) / variance;
    }

    private static void adapt(int[] template, int[] part) {
        for (int i = 0; i < PIXELS; i++) {
            template[i] = (OLD_WEIGHT * template[i] + part[i] + WEIGHTS / 2) / WEIGHTS;
        }
    }
}
