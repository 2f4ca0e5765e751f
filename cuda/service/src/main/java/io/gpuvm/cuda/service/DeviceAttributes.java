package io.gpuvm.cuda.service;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.cubin.ConstantSection;
import io.gpuvm.gf100.cubin.CubinFunction;
import io.gpuvm.pv.module.Occupancy;
import io.gpuvm.pv.protocol.GpuLimits;

/// Values of `CUdevice_attribute` for a GF100. Attributes that are not listed are 0: properties of
/// other architectures, and features that gpuvm does not have, textures in arrays among them.
///
/// Sources: CUDA driver API, `CUdevice_attribute`, for the numbers and meanings; CUDA C Programming
/// Guide, Compute Capabilities, for the limits of 2.0; the data sheet of the Quadro 6000 for clocks
/// and widths, which a software GPU does not have.
public final class DeviceAttributes {
    /// Number of attributes to CUDA 13.0, and of the value 0, which is no attribute.
    public static final int COUNT = 138;

    private static final int MAX_THREADS_PER_BLOCK = 1;
    private static final int MAX_BLOCK_DIM_X = 2;
    private static final int MAX_BLOCK_DIM_Y = 3;
    private static final int MAX_BLOCK_DIM_Z = 4;
    private static final int MAX_GRID_DIM_X = 5;
    private static final int MAX_GRID_DIM_Y = 6;
    private static final int MAX_GRID_DIM_Z = 7;
    private static final int MAX_SHARED_MEMORY_PER_BLOCK = 8;
    private static final int TOTAL_CONSTANT_MEMORY = 9;
    private static final int WARP_SIZE = 10;
    private static final int MAX_PITCH = 11;
    private static final int MAX_REGISTERS_PER_BLOCK = 12;
    private static final int CLOCK_RATE = 13;
    private static final int TEXTURE_ALIGNMENT = 14;
    private static final int GPU_OVERLAP = 15;
    private static final int MULTIPROCESSOR_COUNT = 16;
    private static final int KERNEL_EXEC_TIMEOUT = 17;
    private static final int CAN_MAP_HOST_MEMORY = 19;
    private static final int CONCURRENT_KERNELS = 31;
    private static final int MEMORY_CLOCK_RATE = 36;
    private static final int GLOBAL_MEMORY_BUS_WIDTH = 37;
    private static final int L2_CACHE_SIZE = 38;
    private static final int MAX_THREADS_PER_MULTIPROCESSOR = 39;
    private static final int ASYNC_ENGINE_COUNT = 40;
    private static final int UNIFIED_ADDRESSING = 41;
    private static final int TEXTURE_PITCH_ALIGNMENT = 51;
    private static final int MAXIMUM_TEXTURE1D_LINEAR_WIDTH = 69;
    private static final int COMPUTE_CAPABILITY_MAJOR = 75;
    private static final int COMPUTE_CAPABILITY_MINOR = 76;
    private static final int GLOBAL_L1_CACHE_SUPPORTED = 79;
    private static final int LOCAL_L1_CACHE_SUPPORTED = 80;
    private static final int MAX_SHARED_MEMORY_PER_MULTIPROCESSOR = 81;
    private static final int MAX_REGISTERS_PER_MULTIPROCESSOR = 82;
    private static final int SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO = 87;
    private static final int MAX_SHARED_MEMORY_PER_BLOCK_OPTIN = 97;
    private static final int MAX_BLOCKS_PER_MULTIPROCESSOR = 106;

    /// Shader clock of a Quadro 6000 in kHz.
    private static final int CLOCK_KHZ = 1_147_000;

    /// Memory clock of a Quadro 6000 in kHz.
    private static final int MEMORY_CLOCK_KHZ = 1_494_000;

    private static final int BUS_BITS = 384;
    private static final int L2_BYTES = 768 << 10;
    private static final int TEXTURE_ALIGNMENT_BYTES = 512;
    private static final int TEXTURE_PITCH_ALIGNMENT_BYTES = 32;
    private static final int TEXTURE_LINEAR_WIDTH = 1 << 27;
    private static final int DOUBLE_PRECISION_RATIO = 2;

    private final int[] values = new int[COUNT];

    private DeviceAttributes() {}

    /// Returns the attributes of a GPU.
    public static DeviceAttributes of(GpuLimits limits) {
        DeviceAttributes all = new DeviceAttributes();
        all.setLimitsOfLaunches();
        all.setMemory();
        int[] values = all.values;
        values[CLOCK_RATE] = CLOCK_KHZ;
        values[MULTIPROCESSOR_COUNT] = limits.multiprocessors();
        values[GPU_OVERLAP] = limits.copyEngines() > 0 ? 1 : 0;
        values[ASYNC_ENGINE_COUNT] = limits.copyEngines();
        values[KERNEL_EXEC_TIMEOUT] = 1;
        values[CONCURRENT_KERNELS] = 1;
        values[COMPUTE_CAPABILITY_MAJOR] = 2;
        values[COMPUTE_CAPABILITY_MINOR] = 0;
        values[SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO] = DOUBLE_PRECISION_RATIO;
        return all;
    }

    private void setLimitsOfLaunches() {
        values[MAX_THREADS_PER_BLOCK] = ComputeClass.BLOCK_LIMIT_THREADS;
        values[MAX_BLOCK_DIM_X] = ComputeClass.BLOCK_LIMIT_XY;
        values[MAX_BLOCK_DIM_Y] = ComputeClass.BLOCK_LIMIT_XY;
        values[MAX_BLOCK_DIM_Z] = ComputeClass.BLOCK_LIMIT_Z;
        values[MAX_GRID_DIM_X] = ComputeClass.GRID_LIMIT;
        values[MAX_GRID_DIM_Y] = ComputeClass.GRID_LIMIT;
        values[MAX_GRID_DIM_Z] = ComputeClass.GRID_LIMIT;
        values[WARP_SIZE] = Occupancy.WARP_THREADS;
        values[MAX_THREADS_PER_MULTIPROCESSOR] =
                ComputeClass.WARPS_OF_MULTIPROCESSOR * Occupancy.WARP_THREADS;
        values[MAX_BLOCKS_PER_MULTIPROCESSOR] = Occupancy.BLOCKS_OF_MULTIPROCESSOR;
        values[MAX_REGISTERS_PER_BLOCK] = ComputeClass.REGISTERS_OF_MULTIPROCESSOR;
        values[MAX_REGISTERS_PER_MULTIPROCESSOR] = ComputeClass.REGISTERS_OF_MULTIPROCESSOR;
        values[MAX_SHARED_MEMORY_PER_BLOCK] = CubinFunction.MAX_SHARED_BYTES;
        values[MAX_SHARED_MEMORY_PER_BLOCK_OPTIN] = CubinFunction.MAX_SHARED_BYTES;
        values[MAX_SHARED_MEMORY_PER_MULTIPROCESSOR] = CubinFunction.MAX_SHARED_BYTES;
    }

    private void setMemory() {
        values[TOTAL_CONSTANT_MEMORY] = ConstantSection.BYTES;
        values[MAX_PITCH] = Integer.MAX_VALUE;
        values[TEXTURE_ALIGNMENT] = TEXTURE_ALIGNMENT_BYTES;
        values[TEXTURE_PITCH_ALIGNMENT] = TEXTURE_PITCH_ALIGNMENT_BYTES;
        values[MAXIMUM_TEXTURE1D_LINEAR_WIDTH] = TEXTURE_LINEAR_WIDTH;
        values[CAN_MAP_HOST_MEMORY] = 1;
        values[UNIFIED_ADDRESSING] = 1;
        values[MEMORY_CLOCK_RATE] = MEMORY_CLOCK_KHZ;
        values[GLOBAL_MEMORY_BUS_WIDTH] = BUS_BITS;
        values[L2_CACHE_SIZE] = L2_BYTES;
        values[GLOBAL_L1_CACHE_SUPPORTED] = 1;
        values[LOCAL_L1_CACHE_SUPPORTED] = 1;
    }

    /// Returns the value of an attribute, 0 for an unknown attribute.
    public int value(int attribute) {
        return attribute >= 0 && attribute < COUNT ? values[attribute] : 0;
    }
}
