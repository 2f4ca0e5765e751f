package io.gpuvm.cuda.api.table;

import java.util.List;

/// Shared library of the CUDA runtime API, for programs of one version of CUDA.
///
/// The names are those that programs ask the linker of the system for. Programs for CUDA 7.5 and
/// 8.0 ask for symbols without versions (Caffe's binaries on Maven Central); those for CUDA 11 and
/// 12 ask for symbols with the version that is named like the library (`readelf -V`).
public enum RuntimeLibrary {
    CUDA_7_5("7.5", 7050, false),
    CUDA_8_0("8.0", 8000, false),
    /// One name for all versions from 11.0 to 11.8.
    CUDA_11("11.0", 11_080, true),
    /// One name for all versions of CUDA 12; the level is that of gpuvm's `libcuda.so.1`.
    CUDA_12("12", 12_040, true);

    private final String suffix;
    private final int level;
    private final boolean hasSymbolVersions;

    RuntimeLibrary(String suffix, int level, boolean hasSymbolVersions) {
        this.suffix = suffix;
        this.level = level;
        this.hasSymbolVersions = hasSymbolVersions;
    }

    /// Returns the name that programs ask for: `libcudart.so.12`.
    public String soname() {
        return "libcudart.so." + suffix;
    }

    /// Returns the version of CUDA that `cudaRuntimeGetVersion` answers, 1000 * major + 10 * minor.
    public int level() {
        return level;
    }

    /// Returns whether the exported names have a version.
    public boolean hasSymbolVersions() {
        return hasSymbolVersions;
    }

    /// Returns the exported names in alphabetical order.
    public List<String> symbols(RuntimeTable table) {
        return table.names().flatMap(name -> name.symbols(level).stream()).sorted().toList();
    }
}
