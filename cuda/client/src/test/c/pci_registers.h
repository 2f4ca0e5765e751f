/*
 * Writes of registers of a PCI function whose registers are a file: the library, which is compiled with this header, waits until the backend of
 * the tests has handled the write, as a trapped access does.
 */
#ifndef PCI_REGISTERS_H
#define PCI_REGISTERS_H

/* Indexes in the page of a session that the real function does not use. */
enum { TRAP_LOCK = 1000, TRAP_NUMBER, TRAP_HANDLED, TRAP_INDEX, TRAP_VALUE };

static inline void trap_write(volatile unsigned int *page, int index, unsigned int value)
{
    while (__atomic_exchange_n(&page[TRAP_LOCK], 1, __ATOMIC_ACQUIRE) != 0)
        ;
    page[TRAP_INDEX] = (unsigned int)index;
    page[TRAP_VALUE] = value;
    unsigned int number = page[TRAP_NUMBER] + 1;
    __atomic_store_n(&page[TRAP_NUMBER], number, __ATOMIC_RELEASE);
    while (__atomic_load_n(&page[TRAP_HANDLED], __ATOMIC_ACQUIRE) != number)
        ;
    __atomic_store_n(&page[TRAP_LOCK], 0, __ATOMIC_RELEASE);
}

#define GPUVM_WRITE_REGISTER(page, index, value) trap_write(page, index, value)

#endif
