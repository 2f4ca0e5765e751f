/// Windows that other processes map: files that contain pages of VRAM while the windows show them.
package io.gpuvm.softgpu.window;
