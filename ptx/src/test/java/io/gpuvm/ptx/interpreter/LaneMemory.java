package io.gpuvm.ptx.interpreter;

import io.gpuvm.ptx.check.PtxOperand;
import io.gpuvm.ptx.check.PtxSpace;
import io.gpuvm.ptx.check.PtxVariable;

/// Memory accesses of the lanes of a warp.
final class LaneMemory {
    private final WarpExecution warp;

    LaneMemory(WarpExecution warp) {
        this.warp = warp;
    }

    /// Place of an access: bytes of a memory, and the offset in them.
    record Place(byte[] bytes, long offset) {}

    /// Returns the place of a memory operand.
    Place place(CallFrame frame, PtxOperand.Memory operand, PtxSpace space, int lane) {
        PtxVariable variable = operand.variable();
        if (variable != null) {
            return place(
                    placeSpace(variable),
                    address(frame, new PtxOperand.Address(variable, operand.offset()), lane),
                    lane);
        }
        long address = operand.offset();
        if (operand.register() != null) {
            address += frame.read(operand.register(), lane);
            if (operand.register().type().bits() == Integer.SIZE) {
                address &= 0xFFFFFFFFL;
            }
        }
        if (space == PtxSpace.PARAM && !frame.function.header().kernel()) {
            return place(PtxSpace.LOCAL, address, lane);
        }
        return place(space, address, lane);
    }

    /// Returns the memory of a variable: parameters of functions are in local memory.
    private static PtxSpace placeSpace(PtxVariable variable) {
        boolean local =
                variable.space() == PtxSpace.PARAM
                        && variable.role() != PtxVariable.Role.KERNEL_PARAMETER;
        return local ? PtxSpace.LOCAL : variable.space();
    }

    private Place place(PtxSpace space, long address, int lane) {
        MachineMemory memory = warp.block.launch.machine().memory();
        return switch (space) {
            case GENERIC -> {
                PtxSpace found = MachineMemory.spaceOf(address);
                if (found == PtxSpace.GENERIC) {
                    throw new MachineFault("access at 0x%x".formatted(address));
                }
                yield place(found, address - MachineMemory.window(found), lane);
            }
            case GLOBAL -> new Place(memory.global, address - MachineMemory.GLOBAL);
            case CONST -> new Place(memory.constant, address);
            case SHARED -> new Place(warp.block.shared, address);
            case LOCAL -> new Place(warp.local[lane], address);
            case PARAM -> new Place(warp.block.launch.parameters(), address);
        };
    }

    /// Returns the address of a symbol in its space.
    long address(CallFrame frame, PtxOperand.Address operand, int lane) {
        if (operand.symbol() instanceof PtxVariable variable) {
            switch (variable.role()) {
                case STATIC -> {}
                case KERNEL_PARAMETER -> {
                    return operand.offset() + parameterOffset(frame, variable);
                }
                default -> {
                    return operand.offset() + warp.place(frame, variable.index(), lane);
                }
            }
        }
        return warp.block.launch.machine().address(operand.symbol()) + operand.offset();
    }

    private static long parameterOffset(CallFrame frame, PtxVariable variable) {
        return frame.function.header().signature().parameters().stream()
                .filter(parameter -> parameter.variable() == variable)
                .findFirst()
                .orElseThrow()
                .offset();
    }

    /// Checks that the place of a vector is a multiple of its size.
    void checkAlignment(Place place, int bytes) {
        if (place.offset() % bytes != 0) {
            throw new MachineFault("access of %d bytes at 0x%x".formatted(bytes, place.offset()));
        }
    }

    long read(Place place, int offset, int bytes) {
        return MachineMemory.read(place.bytes(), place.offset() + offset, bytes);
    }

    void write(Place place, int offset, int bytes, long value) {
        MachineMemory.write(place.bytes(), place.offset() + offset, bytes, value);
    }
}
