package io.gpuvm.gf100.classes;

/// Consecutive methods, repeated at a fixed distance.
///
/// @param first first method, in bytes
/// @param last last method of the first repetition, in bytes
/// @param count number of repetitions
/// @param strideBytes distance between repetitions, in bytes
public record MethodRange(int first, int last, int count, int strideBytes) {
    static MethodRange of(int first, int last) {
        return new MethodRange(first, last, 1, 0);
    }

    static MethodRange one(int method) {
        return of(method, method);
    }

    static MethodRange array(int first, int last, int count, int strideBytes) {
        return new MethodRange(first, last, count, strideBytes);
    }
}
