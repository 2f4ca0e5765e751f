/// Windows that other processes map: files that hold pages of VRAM while these are shown.
package io.gpuvm.softgpu.window;
