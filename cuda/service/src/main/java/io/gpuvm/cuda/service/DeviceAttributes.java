package io.gpuvm.cuda.service;

import io.gpuvm.cuda.protocol.CudaDeviceAttribute;
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

    private final int[] values = new int[CudaDeviceAttribute.COUNT];

    private DeviceAttributes() {}

    /// Returns the attributes of a GPU.
    public static DeviceAttributes of(GpuLimits limits) {
        DeviceAttributes all = new DeviceAttributes();
        all.setLimitsOfLaunches();
        all.setMemory();
        int[] values = all.values;
        values[CudaDeviceAttribute.CLOCK_RATE] = CLOCK_KHZ;
        values[CudaDeviceAttribute.MULTIPROCESSOR_COUNT] = limits.multiprocessors();
        values[CudaDeviceAttribute.GPU_OVERLAP] = limits.copyEngines() > 0 ? 1 : 0;
        values[CudaDeviceAttribute.ASYNC_ENGINE_COUNT] = limits.copyEngines();
        values[CudaDeviceAttribute.KERNEL_EXEC_TIMEOUT] = 1;
        values[CudaDeviceAttribute.CONCURRENT_KERNELS] = 1;
        values[CudaDeviceAttribute.COMPUTE_CAPABILITY_MAJOR] = 2;
        values[CudaDeviceAttribute.COMPUTE_CAPABILITY_MINOR] = 0;
        values[CudaDeviceAttribute.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO] = DOUBLE_PRECISION_RATIO;
        return all;
    }

    private void setLimitsOfLaunches() {
        values[CudaDeviceAttribute.MAX_THREADS_PER_BLOCK] = ComputeClass.BLOCK_LIMIT_THREADS;
        values[CudaDeviceAttribute.MAX_BLOCK_DIM_X] = ComputeClass.BLOCK_LIMIT_XY;
        values[CudaDeviceAttribute.MAX_BLOCK_DIM_Y] = ComputeClass.BLOCK_LIMIT_XY;
        values[CudaDeviceAttribute.MAX_BLOCK_DIM_Z] = ComputeClass.BLOCK_LIMIT_Z;
        values[CudaDeviceAttribute.MAX_GRID_DIM_X] = ComputeClass.GRID_LIMIT;
        values[CudaDeviceAttribute.MAX_GRID_DIM_Y] = ComputeClass.GRID_LIMIT;
        values[CudaDeviceAttribute.MAX_GRID_DIM_Z] = ComputeClass.GRID_LIMIT;
        values[CudaDeviceAttribute.WARP_SIZE] = Occupancy.WARP_THREADS;
        values[CudaDeviceAttribute.MAX_THREADS_PER_MULTIPROCESSOR] =
                ComputeClass.WARPS_OF_MULTIPROCESSOR * Occupancy.WARP_THREADS;
        values[CudaDeviceAttribute.MAX_BLOCKS_PER_MULTIPROCESSOR] =
                Occupancy.BLOCKS_OF_MULTIPROCESSOR;
        values[CudaDeviceAttribute.MAX_REGISTERS_PER_BLOCK] =
                ComputeClass.REGISTERS_OF_MULTIPROCESSOR;
        values[CudaDeviceAttribute.MAX_REGISTERS_PER_MULTIPROCESSOR] =
                ComputeClass.REGISTERS_OF_MULTIPROCESSOR;
        values[CudaDeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK] = CubinFunction.MAX_SHARED_BYTES;
        values[CudaDeviceAttribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN] =
                CubinFunction.MAX_SHARED_BYTES;
        values[CudaDeviceAttribute.MAX_SHARED_MEMORY_PER_MULTIPROCESSOR] =
                CubinFunction.MAX_SHARED_BYTES;
    }

    private void setMemory() {
        values[CudaDeviceAttribute.TOTAL_CONSTANT_MEMORY] = ConstantSection.BYTES;
        values[CudaDeviceAttribute.MAX_PITCH] = Integer.MAX_VALUE;
        values[CudaDeviceAttribute.TEXTURE_ALIGNMENT] = TEXTURE_ALIGNMENT_BYTES;
        values[CudaDeviceAttribute.TEXTURE_PITCH_ALIGNMENT] = TEXTURE_PITCH_ALIGNMENT_BYTES;
        values[CudaDeviceAttribute.MAXIMUM_TEXTURE1D_LINEAR_WIDTH] = TEXTURE_LINEAR_WIDTH;
        values[CudaDeviceAttribute.CAN_MAP_HOST_MEMORY] = 1;
        values[CudaDeviceAttribute.UNIFIED_ADDRESSING] = 1;
        values[CudaDeviceAttribute.MEMORY_CLOCK_RATE] = MEMORY_CLOCK_KHZ;
        values[CudaDeviceAttribute.GLOBAL_MEMORY_BUS_WIDTH] = BUS_BITS;
        values[CudaDeviceAttribute.L2_CACHE_SIZE] = L2_BYTES;
        values[CudaDeviceAttribute.GLOBAL_L1_CACHE_SUPPORTED] = 1;
        values[CudaDeviceAttribute.LOCAL_L1_CACHE_SUPPORTED] = 1;
    }

    /// Returns the value of an attribute, 0 for an unknown attribute.
    public int value(int attribute) {
        return attribute >= 0 && attribute < values.length ? values[attribute] : 0;
    }
}
