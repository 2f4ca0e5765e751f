/// A GF100 behind the kernel's VFIO: ioctls and their structures through JNA, and [VfioGpu], the
/// device built on them.
///
/// Source of numbers and layouts: `include/uapi/linux/vfio.h`; of behaviour: `drivers/vfio/`.
package io.gpuvm.vfio;
