/// Windows that other processes map: files in which pages of VRAM live while they are shown there.
package io.gpuvm.softgpu.window;
