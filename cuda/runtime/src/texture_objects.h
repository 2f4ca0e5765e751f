/* Texture objects of linear memory. */
#ifndef GPUVM_TEXTURE_OBJECTS_H
#define GPUVM_TEXTURE_OBJECTS_H

#include <stdint.h>

/* Forgets the objects of a context that has ended, whose memory has ended with it. */
void gpuvm_texture_objects_forget(uint64_t number);

#endif
