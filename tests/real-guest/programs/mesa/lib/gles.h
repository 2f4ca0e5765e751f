// OpenGL ES 3.1 context without a window, on the GPU: EGL's surfaceless platform.
#pragma once

#include <EGL/egl.h>
#include <GLES3/gl31.h>

#include <stdbool.h>
#include <stddef.h>

struct gles {
    EGLDisplay display;
    EGLContext context;
};

// Opens the context and makes it current. Fails the run if the renderer is not a driver of the GPU:
// Mesa falls back to one that draws on the processor.
struct gles gles_open(void);

void gles_close(const struct gles *gles);

// Fails the run if OpenGL reports an error.
void gles_require_no_error(const char *after);

bool gles_has_extension(const char *name);

// Creates a program of one compute shader. Fails the run, with the compiler's message, if it does
// not compile or link.
GLuint gles_compute_program(const char *name, const char *const *sources, int count);

// Creates a buffer bound to a binding point, with data or zeros.
GLuint gles_buffer(GLenum target, GLuint binding, size_t bytes, const void *data);

// Returns the content of a shader storage buffer after all work has completed. The caller frees it.
void *gles_read_storage(GLuint buffer, size_t bytes);
