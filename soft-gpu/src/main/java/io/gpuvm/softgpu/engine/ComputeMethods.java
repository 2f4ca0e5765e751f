package io.gpuvm.softgpu.engine;

import io.gpuvm.gf100.classes.ComputeClass;
import io.gpuvm.gf100.classes.ConstantMethods;
import io.gpuvm.gf100.classes.QueryMethods;

/// Which methods compute (90c0) has, and which of them do something here.
final class ComputeMethods {
    static final MethodTable TABLE =
            MethodTable.builder()
                    .stores(ComputeClass.NOP, ComputeClass.SERIALIZE)
                    .ignores(ComputeClass.CONDITION_MASTER_ADDRESS_HIGH, ComputeClass.PM_TRIGGER)
                    .ignores(ComputeClass.UNKNOWN_150, ComputeClass.UNKNOWN_154)
                    .stores(ComputeClass.LOCAL_POSITIVE_BYTES, ComputeClass.CALL_STACK_BYTES)
                    .ignores(ComputeClass.TEXTURE_LIMITS, ComputeClass.TEXTURE_LIMITS)
                    .stores(ComputeClass.SHARED_BASE, ComputeClass.SHARED_BASE)
                    .stores(ComputeClass.MEMORY_BARRIER, ComputeClass.MEMORY_BARRIER)
                    .ignores(ComputeClass.BIND_SAMPLER, ComputeClass.BIND_TEXTURE_2)
                    .stores(ComputeClass.GRID_YX, ComputeClass.GRID_Z)
                    .ignores(ComputeClass.UNKNOWN_244, ComputeClass.UNKNOWN_244)
                    .stores(ComputeClass.SHARED_BYTES, ComputeClass.BARRIERS)
                    .ignores(ComputeClass.UNKNOWN_28C, ComputeClass.UNKNOWN_28C)
                    .stores(ComputeClass.BEGIN, ComputeClass.BEGIN)
                    .ignores(ComputeClass.UNKNOWN_2A0, ComputeClass.UNKNOWN_2A0)
                    .stores(ComputeClass.REGISTERS, ComputeClass.REGISTERS)
                    .ignores(ComputeClass.GLOBAL_WINDOWS_ENABLE, ComputeClass.GLOBAL_WINDOW)
                    .stores(ComputeClass.CACHE_SPLIT, ComputeClass.CACHE_SPLIT)
                    .ignores(ComputeClass.UNKNOWN_30C, ComputeClass.UNKNOWN_30C)
                    .ignores(ComputeClass.UNKNOWN_360, ComputeClass.UNKNOWN_360)
                    .acts(ComputeClass.LAUNCH)
                    .ignores(ComputeClass.UNKNOWN_36C, ComputeClass.UNKNOWN_36C)
                    .stores(ComputeClass.BLOCK_YX, ComputeClass.ENTRY)
                    .ignores(ComputeClass.FIRMWARE_FIRST, ComputeClass.FIRMWARE_LAST)
                    .ignores(ComputeClass.MULTIPROCESSOR_LIMIT, ComputeClass.MULTIPROCESSOR_LIMIT)
                    .stores(ComputeClass.LOCAL_BASE, ComputeClass.GRID_ID)
                    .stores(ComputeClass.TEMP_ADDRESS_HIGH, ComputeClass.WARP_TEMP_BYTES)
                    .stores(ComputeClass.END, ComputeClass.END)
                    .ignores(ComputeClass.UNKNOWN_A08, ComputeClass.UNKNOWN_A08)
                    .ignores(ComputeClass.CALL_DEPTH, ComputeClass.CALL_DEPTH)
                    .ignores(ComputeClass.UNKNOWN_D94, ComputeClass.UNKNOWN_D94)
                    .ignores(ComputeClass.WATCHDOG_TIMER, ComputeClass.WATCHDOG_TIMER)
                    .ignores(ComputeClass.UNKNOWN_10F4, ComputeClass.UNKNOWN_10F4)
                    .ignores(ComputeClass.LINKED_SAMPLERS, ComputeClass.LINKED_SAMPLERS)
                    .ignores(ComputeClass.UNKNOWN_1288, ComputeClass.UNKNOWN_1288)
                    .ignores(ComputeClass.UNKNOWN_12AC, ComputeClass.UNKNOWN_12AC)
                    .stores(ComputeClass.SAMPLER_FLUSH, ComputeClass.TEXTURE_CACHE_CONTROL)
                    .ignores(ComputeClass.UNKNOWN_1354, ComputeClass.UNKNOWN_1354)
                    .ignores(ComputeClass.UNKNOWN_1424, ComputeClass.UNKNOWN_1424)
                    .ignores(ComputeClass.CONDITION_ADDRESS_HIGH, ComputeClass.CONDITION_MODE)
                    .ignores(ComputeClass.SAMPLERS_ADDRESS_HIGH, ComputeClass.SAMPLERS_LIMIT)
                    .ignores(ComputeClass.TEXTURES_ADDRESS_HIGH, ComputeClass.TEXTURES_LIMIT)
                    .stores(ComputeClass.CODE_ADDRESS_HIGH, ComputeClass.CODE_ADDRESS_LOW)
                    .ignores(ComputeClass.TEXTURE_MISCELLANEOUS, ComputeClass.TEXTURE_MISCELLANEOUS)
                    .ignores(ComputeClass.UNKNOWN_1690, ComputeClass.UNKNOWN_1690)
                    .acts(ComputeClass.CONSTANT_BIND, ComputeClass.FLUSH)
                    .ignores(ComputeClass.UNKNOWN_1930, ComputeClass.UNKNOWN_1930)
                    .ignores(ComputeClass.UNKNOWN_1944, ComputeClass.UNKNOWN_1944)
                    .ignores(ComputeClass.DELAY, ComputeClass.DELAY)
                    .ignores(ComputeClass.UNKNOWN_1A2C_FIRST, ComputeClass.UNKNOWN_1A2C_LAST)
                    .stores(QueryMethods.ADDRESS_HIGH, QueryMethods.SEQUENCE)
                    .acts(QueryMethods.GET)
                    .actsFrom(ConstantMethods.SIZE, ConstantMethods.DATA_LAST)
                    .ignores(ComputeClass.IMAGE_FIRST, ComputeClass.IMAGE_LAST)
                    .ignores(ComputeClass.COUNTERS_FIRST, ComputeClass.COUNTERS_LAST)
                    .ignores(ComputeClass.SCRATCH_FIRST, ComputeClass.SCRATCH_LAST)
                    .build();

    private ComputeMethods() {}
}
