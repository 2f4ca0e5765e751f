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

    /// Number of a loop by its header, in an order in which the loops within a loop follow it.
    private final int[] numbers;

    /// Number of loops that a loop contains, with itself, by its header.
    private final int[] counts;

    /// @param order nodes, each header before the other nodes of its loop
    private Loops(int[] headers, int[] outer, int[] order) {
        this.headers = headers;
        this.outer = outer;
        depths = new int[headers.length];
        numbers = new int[headers.length];
        counts = new int[headers.length];
        for (int node : order) {
            int around = headers[node] == node ? outer[node] : headers[node];
            depths[node] = around == NONE ? 0 : depths[around];
            depths[node] += headers[node] == node ? 1 : 0;
        }
        number(order);
    }

    private void number(int[] order) {
        for (int i = order.length - 1; i >= 0; i--) {
            int node = order[i];
            if (isHeader(node)) {
                counts[node]++;
                if (outer[node] != NONE) {
                    counts[outer[node]] += counts[node];
                }
            }
        }
        int[] next = new int[headers.length];
        int first = 0;
        for (int node : order) {
            if (!isHeader(node)) {
                continue;
            }
            if (outer[node] == NONE) {
                numbers[node] = first;
                first += counts[node];
            } else {
                numbers[node] = next[outer[node]];
                next[outer[node]] += counts[node];
            }
            next[node] = numbers[node] + 1;
        }
    }

    public static Loops of(Graph graph, Dominators dominators) {
        int size = graph.size();
        int[] headers = new int[size];
        int[] outer = new int[size];
        Arrays.fill(headers, NONE);
        Arrays.fill(outer, NONE);
        int[] order = dominators.order();
        int[] outermost = new int[size];
        Arrays.setAll(outermost, node -> node);
        int[] work = new int[size];
        for (int i = order.length - 1; i >= 0; i--) {
            int header = order[i];
            int count = 0;
            boolean isHeader = false;
            for (int from : graph.predecessors()[header]) {
                if (dominators.reaches(from) && dominators.dominates(header, from)) {
                    isHeader = true;
                    count = enter(from, header, headers, outer, outermost, work, count);
                }
            }
            while (count > 0) {
                int node = work[--count];
                for (int from : graph.predecessors()[node]) {
                    if (dominators.reaches(from)) {
                        count = enter(from, header, headers, outer, outermost, work, count);
                    }
                }
            }
            if (isHeader) {
                headers[header] = header;
            }
        }
        return new Loops(headers, outer, order);
    }

    /// Adds a node, or the outermost known loop that contains it, to the loop of a header.
    ///
    /// @param outermost header of a loop around the loop with a header, or the header itself; leads
    ///   to the outermost known loop
    private static int enter(
            int node,
            int header,
            int[] headers,
            int[] outer,
            int[] outermost,
            int[] work,
            int count) {
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
        while (outermost[top] != top) {
            outermost[top] = outermost[outermost[top]];
            top = outermost[top];
        }
        if (top == header || headers[node] == header) {
            return count;
        }
        outer[top] = header;
        outermost[top] = header;
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
        if (headers[node] == NONE) {
            return false;
        }
        int distance = numbers[headers[node]] - numbers[headers[inside]];
        return distance >= 0 && distance < counts[headers[inside]];
    }
}
