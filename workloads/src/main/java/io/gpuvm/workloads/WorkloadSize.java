package io.gpuvm.workloads;

/// The sizes that a workload takes.
///
/// @param meaning what is counted, for instance `rows and columns of the matrices`
/// @param least the smallest
/// @param usual what is taken when nobody says
/// @param most the largest
public record WorkloadSize(String meaning, int least, int usual, int most) {
    public WorkloadSize {
        check(usual, least, most);
    }

    /// @return the size
    /// @throws IllegalArgumentException naming the value and the limit, if it is not allowed
    public int check(int size) {
        check(size, least, most);
        return size;
    }

    private static void check(int size, int least, int most) {
        if (size < least || size > most) {
            throw new IllegalArgumentException(
                    "size=%d, limit=%d to %d".formatted(size, least, most));
        }
    }
}
