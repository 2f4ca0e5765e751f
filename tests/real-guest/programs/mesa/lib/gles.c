#include "gles.h"

#include "report.h"

#include <EGL/eglext.h>

#include <stdlib.h>
#include <string.h>

// Mesa's name of the chip GF100.
static const char renderer_of_the_gpu[] = "NVC0";

static _Noreturn void egl_failed(const char *call) {
    report_fatal("%s: EGL error %#x", call, eglGetError());
}

static EGLDisplay open_display(void) {
    PFNEGLGETPLATFORMDISPLAYEXTPROC get_platform_display =
        (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress("eglGetPlatformDisplayEXT");
    if (!get_platform_display) {
        egl_failed("eglGetProcAddress");
    }
    EGLDisplay display =
        get_platform_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        egl_failed("eglInitialize");
    }
    return display;
}

struct gles gles_open(void) {
    static const EGLint wanted_config[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE,
                                           EGL_OPENGL_ES3_BIT, EGL_NONE};
    static const EGLint wanted_context[] = {EGL_CONTEXT_MAJOR_VERSION, 3,
                                            EGL_CONTEXT_MINOR_VERSION, 1, EGL_NONE};
    struct gles gles = {.display = open_display()};
    EGLConfig config;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_ES_API) ||
        !eglChooseConfig(gles.display, wanted_config, &config, 1, &count) || count == 0) {
        egl_failed("eglChooseConfig");
    }
    gles.context = eglCreateContext(gles.display, config, EGL_NO_CONTEXT, wanted_context);
    if (gles.context == EGL_NO_CONTEXT) {
        egl_failed("eglCreateContext");
    }
    if (!eglMakeCurrent(gles.display, EGL_NO_SURFACE, EGL_NO_SURFACE, gles.context)) {
        egl_failed("eglMakeCurrent");
    }
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    report_note("%s, %s, %s", (const char *)glGetString(GL_VENDOR), renderer,
                (const char *)glGetString(GL_VERSION));
    if (strcmp(renderer, renderer_of_the_gpu) != 0) {
        report_fatal("renderer=%s, expected=%s", renderer, renderer_of_the_gpu);
    }
    return gles;
}

void gles_close(const struct gles *gles) {
    eglMakeCurrent(gles->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(gles->display, gles->context);
    eglTerminate(gles->display);
}

void gles_require_no_error(const char *after) {
    GLenum error = glGetError();
    if (error != GL_NO_ERROR) {
        report_fatal("%s: OpenGL error %#x", after, error);
    }
}

bool gles_has_extension(const char *name) {
    GLint count = 0;
    glGetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; i++) {
        if (strcmp((const char *)glGetStringi(GL_EXTENSIONS, (GLuint)i), name) == 0) {
            return true;
        }
    }
    return false;
}

GLuint gles_compute_program(const char *name, const char *const *sources, int count) {
    char log[512] = "";
    GLint ok = 0;
    GLuint shader = glCreateShader(GL_COMPUTE_SHADER), program = glCreateProgram();
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        report_fatal("%s does not compile: %s", name, log);
    }
    glAttachShader(program, shader);
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &ok);
    if (!ok) {
        glGetProgramInfoLog(program, sizeof log, NULL, log);
        report_fatal("%s does not link: %s", name, log);
    }
    glDeleteShader(shader);
    return program;
}

GLuint gles_buffer(GLenum target, GLuint binding, size_t bytes, const void *data) {
    GLuint buffer;
    void *zeros = data ? NULL : calloc(1, bytes);
    glGenBuffers(1, &buffer);
    glBindBufferBase(target, binding, buffer);
    glBufferData(target, (GLsizeiptr)bytes, data ? data : zeros, GL_DYNAMIC_COPY);
    free(zeros);
    return buffer;
}

void *gles_read_storage(GLuint buffer, size_t bytes) {
    void *copy = malloc(bytes);
    glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    void *mapped =
        glMapBufferRange(GL_SHADER_STORAGE_BUFFER, 0, (GLsizeiptr)bytes, GL_MAP_READ_BIT);
    if (!mapped) {
        report_fatal("glMapBufferRange: OpenGL error %#x", glGetError());
    }
    memcpy(copy, mapped, bytes);
    glUnmapBuffer(GL_SHADER_STORAGE_BUFFER);
    return copy;
}
