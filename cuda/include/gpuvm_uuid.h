/* Identifier of a device, in both APIs. */
#ifndef GPUVM_UUID_H
#define GPUVM_UUID_H
struct CUuuid_st {
  char bytes[16];
};
typedef struct CUuuid_st CUuuid;
#endif
