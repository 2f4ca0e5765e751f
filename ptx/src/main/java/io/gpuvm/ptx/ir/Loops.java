package io.gpuvm.ptx.ir;

import java.util.Arrays;

/// Natural loops of a [Graph]. Immutable.
public final class Loops {
    /// Header of a node that is in no loop.
    public static final int NONE = -1;

    /// Header of the innermost loop, by node.
    private final int[] headers;

    /// Header of the loop around the loop with this header.
    private final int[] outer;

    private final int[] depths;

    private Loops(int[] headers, int[] outer, int[] depths) {
        this.headers = headers;
        this.outer = outer;
        this.depths = depths;
    }

    public static Loops of(Graph graph, Dominators dominators) {
        int size = graph.size();
        int[] headers = new int[size];
        int[] outer = new int[size];
        Arrays.fill(headers, NONE);
        Arrays.fill(outer, NONE);
        int[] order = dominators.order();
        int[] work = new int[size];
        for (int i = order.length - 1; i >= 0; i--) {
            int header = order[i];
            int count = 0;
            boolean isHeader = false;
            for (int from : graph.predecessors()[header]) {
                if (dominators.reaches(from) && dominators.dominates(header, from)) {
                    isHeader = true;
                    count = enter(from, header, headers, outer, work, count);
                }
            }
            while (count > 0) {
                int node = work[--count];
                for (int from : graph.predecessors()[node]) {
                    if (dominators.reaches(from)) {
                        count = enter(from, header, headers, outer, work, count);
                    }
                }
            }
            if (isHeader) {
                headers[header] = header;
            }
        }
        int[] depths = new int[size];
        for (int node : order) {
            for (int at = headers[node]; at != NONE; at = outer[at]) {
                depths[node]++;
            }
        }
        return new Loops(headers, outer, depths);
    }

    /// Adds a node, or the outermost known loop that contains it, to the loop of a header.
    private static int enter(
            int node, int header, int[] headers, int[] outer, int[] work, int count) {
        int at = node;
        if (headers[at] == NONE) {
            if (at == header) {
                return count;
            }
            headers[at] = header;
            work[count] = at;
            return count + 1;
        }
        int top = headers[at];
        while (outer[top] != NONE) {
            top = outer[top];
        }
        if (top == header || headers[node] == header) {
            return count;
        }
        outer[top] = header;
        work[count] = top;
        return count + 1;
    }

    /// Returns the header of the innermost loop that contains a node, or [#NONE].
    public int header(int node) {
        return headers[node];
    }

    /// Returns the header of the loop around the loop with a header, or [#NONE].
    public int outer(int header) {
        return outer[header];
    }

    /// Returns the number of loops that contain a node.
    public int depth(int node) {
        return depths[node];
    }

    public boolean isHeader(int node) {
        return headers[node] == node;
    }

    /// Returns whether the innermost loop of `inside` also contains `node`.
    public boolean contains(int inside, int node) {
        if (headers[inside] == NONE) {
            return true;
        }
        for (int at = headers[node]; at != NONE; at = outer[at]) {
            if (at == headers[inside]) {
                return true;
            }
        }
        return false;
    }
}
