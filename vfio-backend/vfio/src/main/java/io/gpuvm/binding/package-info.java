/// Gives cards to vfio-pci and back to the drivers that had them: [io.gpuvm.binding.Binder], by
/// writes to sysfs alone.
package io.gpuvm.binding;
