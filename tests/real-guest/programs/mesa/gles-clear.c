// Clears through unmodified Mesa: colour, depth and stencil of several formats, sizes and kinds of
// texture, whole and within a scissor, and compares every pixel that is read back.

#include "gles.h"
#include "report.h"

#include <GLES2/gl2ext.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PIXEL_BYTES = 16, LAYERS = 5, TARGETS = 4 };

// Kind of the values by which a colour is specified, cleared and read.
enum kind { FIXED, FLOATING, SIGNED, UNSIGNED };

struct format {
    const char *name;
    GLenum internal;
    enum kind kind;
    // Bits of each component.
    int bits[4];
    // Whether Mesa converts it with the 2D engine to a format that every program may read. For
    // other formats Mesa draws, which is not tested here.
    bool converted;
};

static const struct format colors[] = {
    {"RGBA8", GL_RGBA8, FIXED, {8, 8, 8, 8}, true},
    {"RGB565", GL_RGB565, FIXED, {5, 6, 5, 0}, true},
    {"RGB5_A1", GL_RGB5_A1, FIXED, {5, 5, 5, 1}, true},
    {"RGB10_A2", GL_RGB10_A2, FIXED, {10, 10, 10, 2}, true},
    {"R8", GL_R8, FIXED, {8, 0, 0, 0}, true},
    {"RG8", GL_RG8, FIXED, {8, 8, 0, 0}, true},
    {"RGBA8UI", GL_RGBA8UI, UNSIGNED, {8, 8, 8, 8}, false},
    {"RGBA8I", GL_RGBA8I, SIGNED, {8, 8, 8, 8}, false},
    {"R16UI", GL_R16UI, UNSIGNED, {16, 0, 0, 0}, false},
    {"RG16I", GL_RG16I, SIGNED, {16, 16, 0, 0}, false},
    {"RGBA16UI", GL_RGBA16UI, UNSIGNED, {16, 16, 16, 16}, false},
    {"R32I", GL_R32I, SIGNED, {32, 0, 0, 0}, false},
    {"RGBA32UI", GL_RGBA32UI, UNSIGNED, {32, 32, 32, 32}, true},
    {"R16F", GL_R16F, FLOATING, {16, 0, 0, 0}, false},
    {"RGBA16F", GL_RGBA16F, FLOATING, {16, 16, 16, 16}, true},
    {"R11F_G11F_B10F", GL_R11F_G11F_B10F, FLOATING, {11, 11, 10, 0}, true},
    {"R32F", GL_R32F, FLOATING, {32, 0, 0, 0}, false},
    {"RGBA32F", GL_RGBA32F, FLOATING, {32, 32, 32, 32}, true},
};

struct size {
    int width, height;
};

static const struct size sizes[] = {{1, 1}, {16, 16}, {61, 37}, {640, 250}};

struct rectangle {
    int x, y, width, height;
};

// Colour in all forms of clears, and as read.
struct color {
    GLfloat floats[4];
    GLint ints[4];
    GLuint uints[4];
};

// Returns values that every format can represent exactly, so that nothing is rounded: fixed-point
// ones are ends of the range.
static struct color color_for(const struct format *format, int which) {
    static const float fixed[][4] = {{1, 0, 1, 0}, {0, 1, 1, 1}};
    static const float floating[][4] = {{0.5f, 1.75f, 96.0f, 0.25f}, {3.0f, 0.0f, 0.125f, 1.0f}};
    struct color color = {0};
    for (int i = 0; i < 4; i++) {
        color.floats[i] = format->kind == FIXED ? fixed[which][i] : floating[which][i];
        uint32_t limit = format->bits[i] == 0 ? 0 : UINT32_MAX >> (32 - format->bits[i]);
        color.uints[i] = (0x9d3a47c5u >> (8 * i) | 0x81u << 24 | (uint32_t)which) & limit;
        color.ints[i] = (int32_t)((0x5d3a4765u >> (8 * i)) & limit >> 1) * (which ? -1 : 1);
    }
    return color;
}

static void clear_color(const struct format *format, const struct color *color, int target) {
    switch (format->kind) {
    case FIXED:
    case FLOATING:
        glClearBufferfv(GL_COLOR, target, color->floats);
        break;
    case SIGNED:
        glClearBufferiv(GL_COLOR, target, color->ints);
        break;
    case UNSIGNED:
        glClearBufferuiv(GL_COLOR, target, color->uints);
        break;
    }
}

// Format and type of a pixel read.
struct layout {
    GLenum format, type;
    int bytes;
};

// Combination that OpenGL ES guarantees for each kind.
static const struct layout promised[] = {
    [FIXED] = {GL_RGBA, GL_UNSIGNED_BYTE, 4},
    [FLOATING] = {GL_RGBA, GL_FLOAT, 16},
    [SIGNED] = {GL_RGBA_INTEGER, GL_INT, 16},
    [UNSIGNED] = {GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16},
};

static void read_pixels(const struct layout *layout, struct size size, void *pixels) {
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, size.width, size.height, layout->format, layout->type, pixels);
}

static int channels_of(GLenum format) {
    switch (format) {
    case GL_RED:
    case GL_RED_INTEGER:
        return 1;
    case GL_RG:
    case GL_RG_INTEGER:
        return 2;
    case GL_RGB:
    case GL_RGB_INTEGER:
        return 3;
    default:
        return 4;
    }
}

static int bits_of_type(GLenum type) {
    switch (type) {
    case GL_UNSIGNED_BYTE:
    case GL_BYTE:
        return 8;
    case GL_UNSIGNED_SHORT:
    case GL_SHORT:
    case GL_HALF_FLOAT:
        return 16;
    case GL_UNSIGNED_INT:
    case GL_INT:
    case GL_FLOAT:
        return 32;
    default:
        return 0;
    }
}

// Positions of the components in pixels that are packed into one word.
struct packing {
    GLenum type;
    int bytes, bits[4], shifts[4];
};

static const struct packing packings[] = {
    {GL_UNSIGNED_SHORT_5_6_5, 2, {5, 6, 5, 0}, {11, 5, 0, 0}},
    {GL_UNSIGNED_SHORT_5_5_5_1, 2, {5, 5, 5, 1}, {11, 6, 1, 0}},
    {GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, 2, {5, 5, 5, 1}, {0, 5, 10, 15}},
    {GL_UNSIGNED_INT_2_10_10_10_REV, 4, {10, 10, 10, 2}, {0, 10, 20, 30}},
    {GL_UNSIGNED_INT_10F_11F_11F_REV, 4, {11, 11, 10, 0}, {0, 11, 22, 0}},
};

static const struct packing *packing_of(GLenum type) {
    for (unsigned i = 0; i < sizeof packings / sizeof *packings; i++) {
        if (packings[i].type == type) {
            return &packings[i];
        }
    }
    return NULL;
}

// Returns the layout that the driver prefers for the bound framebuffer: usually that of memory.
static struct layout native_layout(void) {
    GLint format, type;
    glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
    glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
    const struct packing *packing = packing_of((GLenum)type);
    int bytes = packing ? packing->bytes
                        : channels_of((GLenum)format) * bits_of_type((GLenum)type) / 8;
    return (struct layout){(GLenum)format, (GLenum)type, bytes};
}

// Writes a component as it is read; a missing component reads as 0, alpha as 1.
static void channel_bytes(const struct format *format, const struct color *color, int channel,
                          GLenum type, void *bytes) {
    bool there = format->bits[channel] != 0, alpha = channel == 3;
    GLfloat value = there ? color->floats[channel] : alpha;
    uint32_t word = there ? format->kind == SIGNED ? (uint32_t)color->ints[channel]
                                                   : color->uints[channel]
                          : alpha;
    if (format->kind == FIXED || format->kind == FLOATING) {
        _Float16 half = (_Float16)value;
        if (type == GL_FLOAT) {
            memcpy(&word, &value, sizeof word);
        } else if (type == GL_HALF_FLOAT) {
            memcpy(&word, &half, sizeof half);
        } else {
            word = (uint32_t)(value * (float)(UINT32_MAX >> (32 - bits_of_type(type))));
        }
    }
    memcpy(bytes, &word, (size_t)bits_of_type(type) / 8);
}

// Small floats are half-precision floats without a sign and with a shorter mantissa.
static uint32_t packed_channel(const struct format *format, GLfloat value, int bits) {
    if (format->kind == FIXED) {
        return (uint32_t)(value * (float)((1u << bits) - 1));
    }
    _Float16 half = (_Float16)value;
    uint16_t half_bits;
    memcpy(&half_bits, &half, sizeof half_bits);
    return bits == 0 ? 0 : half_bits >> (15 - bits);
}

static void expected_pixel(const struct format *format, const struct color *color,
                           const struct layout *layout, uint8_t *pixel) {
    const struct packing *packing = packing_of(layout->type);
    // Blue is the first component of BGRA formats.
    bool swapped = layout->format == GL_BGRA_EXT;
    if (!packing) {
        int size = bits_of_type(layout->type) / 8;
        for (int i = 0; i < channels_of(layout->format); i++) {
            int channel = swapped && i < 3 ? 2 - i : i;
            channel_bytes(format, color, channel, layout->type, pixel + i * size);
        }
        return;
    }
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) {
        int channel = swapped && i < 3 ? 2 - i : i;
        word |= packed_channel(format, color->floats[channel], packing->bits[i])
                << packing->shifts[i];
    }
    memcpy(pixel, &word, (size_t)packing->bytes);
}

static bool is_within(const struct rectangle *rectangle, int x, int y) {
    return x >= rectangle->x && x < rectangle->x + rectangle->width && y >= rectangle->y &&
           y < rectangle->y + rectangle->height;
}

// Returns the offset of the first wrong byte, or -1.
static int64_t first_wrong(const uint8_t *pixels, struct size size, int bytes,
                           const struct rectangle *scissor, const void *inside,
                           const void *outside) {
    for (int y = 0; y < size.height; y++) {
        for (int x = 0; x < size.width; x++) {
            const void *expected = is_within(scissor, x, y) ? inside : outside;
            int64_t at = ((int64_t)y * size.width + x) * bytes;
            if (memcmp(pixels + at, expected, (size_t)bytes) != 0) {
                report_note("x=%d y=%d: %02x %02x %02x %02x, expected %02x %02x %02x %02x", x, y,
                            pixels[at], pixels[at + 1], pixels[at + 2], pixels[at + 3],
                            ((const uint8_t *)expected)[0], ((const uint8_t *)expected)[1],
                            ((const uint8_t *)expected)[2], ((const uint8_t *)expected)[3]);
                return at;
            }
        }
    }
    return -1;
}

// Returns a rectangle off centre and of odd size, but inside; empty in a surface of one pixel.
static struct rectangle scissor_in(struct size size) {
    return (struct rectangle){size.width / 3, size.height / 5, size.width / 2, size.height / 2};
}

static void scissor_on(const struct rectangle *rectangle) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(rectangle->x, rectangle->y, rectangle->width, rectangle->height);
}

static bool require_complete(const char *what) {
    GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
    if (status != GL_FRAMEBUFFER_COMPLETE) {
        report_check(false, "%s: framebuffer status %#x", what, status);
    }
    return status == GL_FRAMEBUFFER_COMPLETE;
}

// Compares the bound framebuffer, read in a given layout.
static void check_pixels(const struct format *format, struct size size,
                         const struct rectangle *scissor, const struct layout *layout,
                         const char *what) {
    struct color outside = color_for(format, 0), inside = color_for(format, 1);
    uint8_t inside_pixel[MAX_PIXEL_BYTES], outside_pixel[MAX_PIXEL_BYTES];
    expected_pixel(format, &inside, layout, inside_pixel);
    expected_pixel(format, &outside, layout, outside_pixel);
    uint8_t *pixels = malloc((size_t)size.width * (size_t)size.height * (size_t)layout->bytes);
    read_pixels(layout, size, pixels);
    gles_require_no_error(what);
    report_data(first_wrong(pixels, size, layout->bytes, scissor, inside_pixel, outside_pixel),
                "%s as %04x %04x", what, layout->format, layout->type);
    free(pixels);
}

// Clears the bound framebuffer, then a part of it in another colour, and compares.
static void check_color(const struct format *format, struct size size, int target,
                        const char *what) {
    struct color outside = color_for(format, 0), inside = color_for(format, 1);
    struct rectangle scissor = scissor_in(size);
    clear_color(format, &outside, target);
    scissor_on(&scissor);
    clear_color(format, &inside, target);
    glDisable(GL_SCISSOR_TEST);
    glReadBuffer((GLenum)(GL_COLOR_ATTACHMENT0 + target));
    struct layout native = native_layout();
    const struct layout *other = &promised[format->kind];
    if (native.bytes == 0) {
        report_fatal("%s is read as %#x %#x, which is unknown here", what, native.format,
                     native.type);
    }
    check_pixels(format, size, &scissor, &native, what);
    if (format->converted && (native.format != other->format || native.type != other->type)) {
        check_pixels(format, size, &scissor, other, what);
    }
}

static GLuint new_framebuffer(void) {
    GLuint framebuffer;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return framebuffer;
}

static GLuint new_renderbuffer(GLenum internal, struct size size, GLenum attachment) {
    GLuint renderbuffer;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, internal, size.width, size.height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
    return renderbuffer;
}

static void test_renderbuffer(const struct format *format, struct size size) {
    char what[64];
    snprintf(what, sizeof what, "%s %dx%d", format->name, size.width, size.height);
    GLuint framebuffer = new_framebuffer();
    GLuint renderbuffer = new_renderbuffer(format->internal, size, GL_COLOR_ATTACHMENT0);
    if (require_complete(what)) {
        check_color(format, size, 0, what);
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
}

// Tests several targets of a framebuffer, each cleared separately.
static void test_targets(void) {
    struct size size = {100, 60};
    GLuint framebuffer = new_framebuffer();
    GLuint renderbuffers[TARGETS];
    GLenum buffers[TARGETS];
    for (int i = 0; i < TARGETS; i++) {
        buffers[i] = (GLenum)(GL_COLOR_ATTACHMENT0 + i);
        renderbuffers[i] = new_renderbuffer(colors[0].internal, size, buffers[i]);
    }
    glDrawBuffers(TARGETS, buffers);
    if (require_complete("several targets")) {
        for (int i = TARGETS - 1; i >= 0; i--) {
            check_color(&colors[0], size, i, "one target of several");
        }
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(TARGETS, renderbuffers);
}

// Tests layers and levels of a texture, each with the colour of its number.
static void test_layers(GLenum kind, const char *name) {
    const struct format *format = &colors[0];
    struct size whole = {96, 80};
    for (int level = 0; level < 2; level++) {
        struct size size = {whole.width >> level, whole.height >> level};
        int layers = kind == GL_TEXTURE_3D ? LAYERS >> level : LAYERS;
        GLuint texture, framebuffer = new_framebuffer();
        glGenTextures(1, &texture);
        glBindTexture(kind, texture);
        glTexStorage3D(kind, 2, format->internal, whole.width, whole.height, LAYERS);
        for (int layer = 0; layer < layers; layer++) {
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, level, layer);
            clear_color(format, &(struct color){.floats = {0, (float)layer / 255, 1, 1}}, 0);
        }
        uint8_t *pixels = malloc((size_t)size.width * (size_t)size.height * 4);
        for (int layer = 0; layer < layers; layer++) {
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, level, layer);
            if (require_complete(name)) {
                uint8_t expected[] = {0, (uint8_t)layer, 255, 255};
                struct rectangle all = {0, 0, size.width, size.height};
                read_pixels(&promised[FIXED], size, pixels);
                gles_require_no_error(name);
                report_data(first_wrong(pixels, size, 4, &all, expected, expected),
                            "%s: level %d, layer %d", name, level, layer);
            }
        }
        free(pixels);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
    }
}

struct depth_format {
    const char *name;
    GLenum internal;
    // Format of the read, and the values read for depth 1 with stencil c3, and depth 0 with stencil
    // 5a.
    GLenum format, type;
    int bytes;
    uint32_t inside[2], outside[2];
};

// Mesa would draw to extract depth from the last format, so that it is read together with stencil.
static const struct depth_format depths[] = {
    {"DEPTH_COMPONENT16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4,
     {UINT32_MAX}, {0}},
    {"DEPTH_COMPONENT24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4,
     {UINT32_MAX}, {0}},
    {"DEPTH_COMPONENT32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4,
     {0x3f800000}, {0}},
    {"DEPTH24_STENCIL8, depth", GL_DEPTH24_STENCIL8, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4,
     {UINT32_MAX}, {0}},
    {"DEPTH24_STENCIL8, stencil", GL_DEPTH24_STENCIL8, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, 1,
     {0xc3}, {0x5a}},
    {"DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4,
     {0xffffffc3}, {0x5a}},
    {"DEPTH32F_STENCIL8", GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL,
     GL_FLOAT_32_UNSIGNED_INT_24_8_REV, 8, {0x3f800000, 0xc3}, {0, 0x5a}},
};

static bool has_stencil(const struct depth_format *format) {
    return format->internal == GL_DEPTH24_STENCIL8 || format->internal == GL_DEPTH32F_STENCIL8;
}

// Checks that within the scissor a clear of depth alone leaves stencil unchanged, and vice versa.
static void clear_depth(const struct depth_format *format, const struct rectangle *scissor) {
    GLfloat one = 1, zero = 0;
    if (has_stencil(format)) {
        glClearBufferfi(GL_DEPTH_STENCIL, 0, zero, 0x5a);
    } else {
        glClearBufferfv(GL_DEPTH, 0, &zero);
    }
    scissor_on(scissor);
    glClearBufferfv(GL_DEPTH, 0, &one);
    if (has_stencil(format)) {
        glClearBufferiv(GL_STENCIL, 0, &(GLint){0xc3});
    }
    glDisable(GL_SCISSOR_TEST);
}

static void test_depth(const struct depth_format *format, struct size size) {
    GLuint framebuffer = new_framebuffer();
    GLenum attachment = has_stencil(format) ? GL_DEPTH_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT;
    GLuint renderbuffer = new_renderbuffer(format->internal, size, attachment);
    struct rectangle scissor = scissor_in(size);
    if (require_complete(format->name)) {
        clear_depth(format, &scissor);
        uint8_t *pixels = malloc((size_t)size.width * (size_t)size.height * 8);
        read_pixels(&(struct layout){format->format, format->type, format->bytes}, size, pixels);
        gles_require_no_error(format->name);
        report_data(first_wrong(pixels, size, format->bytes, &scissor, format->inside,
                                format->outside),
                    "%s %dx%d", format->name, size.width, size.height);
        free(pixels);
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &renderbuffer);
}

int main(void) {
    struct gles gles = gles_open();
    int formats = sizeof colors / sizeof *colors, shapes = sizeof sizes / sizeof *sizes;
    for (int i = 0; i < formats; i++) {
        if (colors[i].kind == FLOATING && !gles_has_extension("GL_EXT_color_buffer_float")) {
            report_skipped(colors[i].name, "cannot be rendered to");
            continue;
        }
        for (int j = 0; j < shapes; j++) {
            test_renderbuffer(&colors[i], sizes[j]);
        }
    }
    test_targets();
    test_layers(GL_TEXTURE_2D_ARRAY, "array");
    test_layers(GL_TEXTURE_3D, "volume");
    if (gles_has_extension("GL_NV_read_depth_stencil")) {
        for (unsigned i = 0; i < sizeof depths / sizeof *depths; i++) {
            for (int j = 0; j < shapes; j++) {
                test_depth(&depths[i], sizes[j]);
            }
        }
    } else {
        report_skipped("depth and stencil", "cannot be read");
    }
    gles_close(&gles);
    return report_status();
}
