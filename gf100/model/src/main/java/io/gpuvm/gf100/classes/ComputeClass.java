package io.gpuvm.gf100.classes;

import static io.gpuvm.gf100.reg.BitField.bit;
import static io.gpuvm.gf100.reg.BitField.bits;

import io.gpuvm.gf100.reg.BitField;

/// Class 90c0, compute: describes a grid of thread blocks and launches it. The methods for constant
/// buffers are in [ConstantMethods], the methods for queries in [QueryMethods].
///
/// Methods whose names start with `UNKNOWN` exist, but their effects are unknown. Sources:
/// envytools `rnndb/graph/gf100_compute.xml`, `rnndb/fifo/nv_object.xml`; Mesa `nvc0_compute.c`;
/// gdev `common/gdev_nvidia_nvc0.c`.
public final class ComputeClass {
    public static final int NOP = 0x100;
    public static final int NOTIFY_ADDRESS_HIGH = 0x104;
    public static final int NOTIFY = 0x10c;

    /// Waits until all earlier work is complete.
    public static final int SERIALIZE = 0x110;

    public static final int CONDITION_MASTER_ADDRESS_HIGH = 0x130;
    public static final int UNKNOWN_13C = 0x13c;
    public static final int PM_TRIGGER = 0x140;
    public static final int UNKNOWN_150 = 0x150;
    public static final int UNKNOWN_154 = 0x154;

    /// Bytes of a thread's local memory from local address 0 upwards.
    public static final int LOCAL_POSITIVE_BYTES = 0x204;

    /// Bytes of a thread's local memory up to the end of the local window.
    public static final int LOCAL_NEGATIVE_BYTES = 0x208;

    /// Alignment of the two sizes of local memory.
    public static final int LOCAL_ALIGNMENT_BYTES = 0x10;

    /// Limit of the two sizes of local memory; each must be less.
    public static final int LOCAL_LIMIT_BYTES = 0x100_0000;

    /// Bytes of a warp's stack beyond its built-in stack.
    public static final int CALL_STACK_BYTES = 0x20c;

    public static final int CALL_STACK_ALIGNMENT_BYTES = 0x200;
    public static final int CALL_STACK_LIMIT_BYTES = 0x20_0000;

    /// Maximum numbers of textures and samplers, as binary logarithms.
    public static final int TEXTURE_LIMITS = 0x210;

    public static final BitField TEXTURE_LIMITS_SAMPLERS = bits(3, 0);
    public static final BitField TEXTURE_LIMITS_TEXTURES = bits(7, 4);
    public static final int TEXTURES_LOG2_MAX = 7;

    /// Generic address of the start of shared memory.
    public static final int SHARED_BASE = 0x214;

    public static final int MEMORY_BARRIER = 0x21c;
    public static final int BIND_SAMPLER = 0x228;

    /// Binds a header of the pool at [#TEXTURES_ADDRESS_HIGH] to a texture slot, or unbinds the
    /// slot.
    public static final int BIND_TEXTURE = 0x22c;

    public static final BitField BIND_TEXTURE_VALID = bit(0);
    public static final BitField BIND_TEXTURE_SLOT = bits(8, 1);

    /// Number of the header.
    public static final BitField BIND_TEXTURE_HEADER = bits(30, 9);

    public static final int BIND_SAMPLER_2 = 0x230;
    public static final int BIND_TEXTURE_2 = 0x234;

    /// Number of blocks of the grid, in x and y.
    public static final int GRID_YX = 0x238;

    public static final int GRID_Z = 0x23c;

    public static final BitField DIMENSION_X = bits(15, 0);
    public static final BitField DIMENSION_Y = bits(31, 16);
    public static final int GRID_LIMIT = 65535;
    public static final int UNKNOWN_244 = 0x244;

    /// Bytes of shared memory per block.
    public static final int SHARED_BYTES = 0x24c;

    /// Number of threads per block.
    public static final int THREADS = 0x250;

    /// Number of barriers per block.
    public static final int BARRIERS = 0x254;

    public static final int BARRIERS_LIMIT = 16;
    public static final int UNKNOWN_28C = 0x28c;
    public static final int BEGIN = 0x29c;
    public static final int UNKNOWN_2A0 = 0x2a0;

    /// Value that Mesa and gdev write.
    public static final int UNKNOWN_2A0_VALUE = 0x8000;

    /// Number of registers per thread.
    public static final int REGISTERS = 0x2c0;

    public static final int REGISTERS_LIMIT = 63;

    /// Number of registers per multiprocessor, allocated to warps in units of
    /// [#REGISTERS_OF_WARP_UNIT].
    public static final int REGISTERS_OF_MULTIPROCESSOR = 32768;

    public static final int REGISTERS_OF_WARP_UNIT = 64;

    /// Maximum number of warps per multiprocessor; each warp has a share of the temporary memory.
    public static final int WARPS_OF_MULTIPROCESSOR = 48;

    public static final int GLOBAL_WINDOWS_ENABLE = 0x2c4;

    /// Sets the byte that replaces one value of a global address's high byte.
    public static final int GLOBAL_WINDOW = 0x2c8;

    public static final BitField GLOBAL_WINDOW_VALUE = bits(7, 0);
    public static final BitField GLOBAL_WINDOW_BECOMES = bits(23, 16);
    public static final BitField GLOBAL_WINDOW_READ = bit(30);
    public static final BitField GLOBAL_WINDOW_WRITE = bit(31);
    public static final int GLOBAL_WINDOWS = 256;

    /// Division of 64 KiB between shared memory and cache.
    public static final int CACHE_SPLIT = 0x308;

    public static final int SPLIT_SHARED_16K = 1;
    public static final int SPLIT_SHARED_48K = 3;
    public static final int SHARED_SMALL_BYTES = 16 << 10;
    public static final int SHARED_LARGE_BYTES = 48 << 10;
    public static final int UNKNOWN_30C = 0x30c;
    public static final int UNKNOWN_360 = 0x360;

    /// Launches the grid; its threads can read the method's data.
    public static final int LAUNCH = 0x368;

    /// Value that Mesa and gdev write.
    public static final int LAUNCH_VALUE = 0x1000;

    public static final int UNKNOWN_36C = 0x36c;

    /// Number of threads per block, in x and y.
    public static final int BLOCK_YX = 0x3ac;

    public static final int BLOCK_Z = 0x3b0;
    public static final int BLOCK_LIMIT_XY = 1024;
    public static final int BLOCK_LIMIT_Z = 64;
    public static final int BLOCK_LIMIT_THREADS = 1024;

    /// Entry point of the kernel, in bytes from [#CODE_ADDRESS_HIGH].
    public static final int ENTRY = 0x3b4;

    public static final int FIRMWARE_FIRST = 0x500;
    public static final int FIRMWARE_LAST = 0x57c;
    public static final int MULTIPROCESSOR_LIMIT = 0x758;

    /// Generic address of the start of local memory.
    public static final int LOCAL_BASE = 0x77c;

    public static final int GRID_ID = 0x780;

    /// Address of the memory for the local memory and stacks of all warps.
    public static final int TEMP_ADDRESS_HIGH = 0x790;

    public static final int TEMP_ADDRESS_LOW = 0x794;
    public static final int TEMP_ALIGNMENT_BYTES = 0x100;
    public static final int TEMP_BYTES_HIGH = 0x798;
    public static final int TEMP_BYTES_LOW = 0x79c;

    /// Minimum size of a warp's temporary memory in bytes; 0 lets the hardware choose.
    public static final int WARP_TEMP_BYTES = 0x7a0;

    public static final int END = 0xa04;
    public static final int UNKNOWN_A08 = 0xa08;

    /// Maximum number of nested calls of a warp, as a binary logarithm.
    public static final int CALL_DEPTH = 0xd64;

    public static final int CALL_DEPTH_MAX = 15;
    public static final int UNKNOWN_D94 = 0xd94;
    public static final int WATCHDOG_TIMER = 0xde4;
    public static final int UNKNOWN_10F4 = 0x10f4;
    public static final int LINKED_SAMPLERS = 0x1234;
    public static final int UNKNOWN_1288 = 0x1288;
    public static final int UNKNOWN_12AC = 0x12ac;
    public static final int SAMPLER_FLUSH = 0x1330;

    /// Invalidates cached texture headers.
    public static final int TEXTURE_FLUSH = 0x1334;

    public static final int TEXTURE_CACHE_CONTROL = 0x1338;
    public static final int UNKNOWN_1354 = 0x1354;
    public static final int UNKNOWN_1424 = 0x1424;
    public static final int CONDITION_ADDRESS_HIGH = 0x1550;
    public static final int CONDITION_MODE = 0x1558;
    public static final int SAMPLERS_ADDRESS_HIGH = 0x155c;
    public static final int SAMPLERS_LIMIT = 0x1564;

    /// Address of the texture headers: [TextureHeader].
    public static final int TEXTURES_ADDRESS_HIGH = 0x1574;

    public static final int TEXTURES_ADDRESS_LOW = 0x1578;

    /// Number of the last header.
    public static final int TEXTURES_LIMIT = 0x157c;

    /// Address of the code segment.
    public static final int CODE_ADDRESS_HIGH = 0x1608;

    public static final int CODE_ADDRESS_LOW = 0x160c;
    public static final int CODE_ALIGNMENT_BYTES = 0x100;
    public static final int TEXTURE_MISCELLANEOUS = 0x1664;
    public static final int UNKNOWN_1690 = 0x1690;

    /// Binds the described constant buffer to a bank: [ConstantMethods#COMPUTE_BIND_INDEX].
    public static final int CONSTANT_BIND = 0x1694;

    /// Invalidates cached data.
    public static final int FLUSH = 0x1698;

    public static final BitField FLUSH_CODE = bit(0);
    public static final BitField FLUSH_GLOBAL = bit(4);
    public static final BitField FLUSH_CONSTANTS = bit(12);
    public static final int UNKNOWN_1930 = 0x1930;
    public static final int UNKNOWN_1944 = 0x1944;
    public static final int DELAY = 0x1a24;
    public static final int UNKNOWN_1A2C_FIRST = 0x1a2c;
    public static final int UNKNOWN_1A2C_LAST = 0x1a3c;

    /// First of eight groups of methods, one per image, at a distance of 32 bytes.
    public static final int IMAGE_FIRST = 0x2700;

    public static final int IMAGE_LAST = 0x27fc;
    public static final int COUNTERS_FIRST = 0x335c;
    public static final int COUNTERS_LAST = 0x33dc;
    public static final int SCRATCH_FIRST = 0x3400;
    public static final int SCRATCH_LAST = 0x35fc;

    private ComputeClass() {}
}
