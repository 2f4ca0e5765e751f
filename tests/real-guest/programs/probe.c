// Checks nouveau's view of the card: the nodes under /dev/dri, and the driver's parameters.
// guest/init loads the driver and reports its log.

#include "nouveau.h"
#include "report.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

static void list_nodes(void) {
    DIR *nodes = opendir("/dev/dri");
    if (!nodes) {
        report_fatal("/dev/dri: %s", strerror(errno));
    }
    for (struct dirent *entry; (entry = readdir(nodes));) {
        if (entry->d_name[0] != '.') {
            report_note("/dev/dri/%s", entry->d_name);
        }
    }
    closedir(nodes);
}

int main(void) {
    list_nodes();
    struct nouveau gpu = nouveau_open();
    uint64_t chipset = nouveau_parameter(&gpu, NOUVEAU_GETPARAM_CHIPSET_ID);
    report_check(chipset == 0xc0, "chipset %" PRIx64, chipset);
    report_note("%" PRIu64 " MiB VRAM", nouveau_parameter(&gpu, NOUVEAU_GETPARAM_FB_SIZE) >> 20);

    uint64_t before = nouveau_parameter(&gpu, NOUVEAU_GETPARAM_PTIMER_TIME);
    uint64_t after = nouveau_parameter(&gpu, NOUVEAU_GETPARAM_PTIMER_TIME);
    report_check(after > before, "the GPU's clock runs");
    return report_status();
}
