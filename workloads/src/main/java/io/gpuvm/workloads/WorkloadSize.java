package io.gpuvm.workloads;

/// The sizes that a workload takes.
///
/// @param meaning what is counted, for instance `rows and columns of the matrices`
/// @param least the smallest
/// @param usual what is taken when nobody says
/// @param most the largest
/// @param multiple sizes are multiples of this
public record WorkloadSize(String meaning, int least, int usual, int most, int multiple) {
    public WorkloadSize {
        check(usual, least, most, multiple);
    }

    /// @return the size
    /// @throws IllegalArgumentException naming the value and the limit, if it is not allowed
    public int check(int size) {
        check(size, least, most, multiple);
        return size;
    }

    private static void check(int size, int least, int most, int multiple) {
        if (size < least || size > most || size % multiple != 0) {
            throw new IllegalArgumentException(
                    "size=%d, limit=multiples of %d from %d to %d"
                            .formatted(size, multiple, least, most));
        }
    }
}
