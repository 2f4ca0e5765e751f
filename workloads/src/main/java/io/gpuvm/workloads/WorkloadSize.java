package io.gpuvm.workloads;

/// Permitted sizes of a workload.
///
/// @param meaning unit of the size, for instance `rows and columns of the matrices`
/// @param least smallest size
/// @param usual default size
/// @param most largest size
public record WorkloadSize(String meaning, int least, int usual, int most) {
    public WorkloadSize {
        check(usual, least, most);
    }

    /// @return the size
    /// @throws IllegalArgumentException if the size is not permitted; the message names the limits
    public int check(int size) {
        check(size, least, most);
        return size;
    }

    private static void check(int size, int least, int most) {
        if (size < least || size > most) {
            throw new IllegalArgumentException(
                    "size=%d, expected %d to %d".formatted(size, least, most));
        }
    }
}
