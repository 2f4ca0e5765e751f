package io.gpuvm.vfio;

import com.sun.jna.Structure;
import com.sun.jna.Structure.FieldOrder;

/// Structures of `linux/vfio.h`, field by field. The first field of each structure is its size, by
/// which the kernel identifies the structure's version.
///
/// Public, because JNA reads and writes the fields by reflection; used by this package only.
public final class Structs {
    private Structs() {}

    /// Structure that starts with its size.
    public abstract static class Sized extends Structure {
        public int argsz;

        void fillSize() {
            argsz = size();
        }
    }

    /// `struct vfio_group_status`
    @FieldOrder({"argsz", "flags"})
    public static class GroupStatus extends Sized {
        static final int VIABLE = 1;

        public int flags;
    }

    /// `struct vfio_device_info`
    @FieldOrder({"argsz", "flags", "num_regions", "num_irqs", "cap_offset", "pad"})
    public static class DeviceInfo extends Sized {
        static final int RESET = 1;
        static final int PCI = 1 << 1;

        public int flags;
        public int num_regions;
        public int num_irqs;
        public int cap_offset;
        public int pad;
    }

    /// `struct vfio_irq_info`
    @FieldOrder({"argsz", "flags", "index", "count"})
    public static class IrqInfo extends Sized {
        static final int EVENTFD = 1;

        public int flags;
        public int index;
        public int count;
    }

    /// `struct vfio_irq_set` with room for one eventfd
    @FieldOrder({"argsz", "flags", "index", "start", "count", "eventfd"})
    public static class IrqSet extends Sized {
        static final int DATA_NONE = 1;
        static final int DATA_EVENTFD = 1 << 2;
        static final int ACTION_MASK = 1 << 3;
        static final int ACTION_UNMASK = 1 << 4;
        static final int ACTION_TRIGGER = 1 << 5;

        public int flags;
        public int index;
        public int start;
        public int count;
        public int eventfd;
    }

    /// `struct vfio_iommu_type1_dma_map`
    @FieldOrder({"argsz", "flags", "vaddr", "iova", "size"})
    public static class DmaMap extends Sized {
        static final int READ = 1;
        static final int WRITE = 1 << 1;

        public int flags;
        public long vaddr;
        public long iova;
        public long size;
    }

    /// `struct vfio_iommu_type1_dma_unmap`
    @FieldOrder({"argsz", "flags", "iova", "size"})
    public static class DmaUnmap extends Sized {
        public int flags;
        public long iova;
        public long size;
    }
}
