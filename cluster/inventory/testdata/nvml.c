/* A machine of four GPUs as NVIDIA's library tells it: 0 and 1 share four
 * links, 2 and 3 have theirs to a switch, 3 two fewer. NVML_STUB=lost makes
 * every device unreachable, NVML_STUB=no-driver the whole library, and
 * NVML_STUB=hangs lets it wait for ever. Shapes and numbers are those of
 * nvml.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pci { char legacy[16]; unsigned domain, bus, device, id, subsystem; char bus_id[32]; };
struct memory { unsigned long long total, free, used; };
struct field { unsigned id, scope; long long at, took; int type, code; union { unsigned ui; unsigned long long ull; } value; };

static int is(const char *mode) {
	const char *set = getenv("NVML_STUB");
	return set && !strcmp(set, mode);
}

static int say(char *to, unsigned room, const char *text) {
	if (strlen(text) >= room)
		return 7; /* insufficient size */
	strcpy(to, text);
	return 0;
}

static long index_of(void *device) { return (long)device - 1; }

int nvmlInit_v2(void) {
	if (is("hangs"))
		pause();
	return is("no-driver") ? 9 : 0;
}
int nvmlShutdown(void) { return 0; }
const char *nvmlErrorString(int code) { return code == 9 ? "Driver Not Loaded" : "GPU is lost"; }
int nvmlSystemGetDriverVersion(char *to, unsigned room) { return say(to, room, "550.90.07"); }
int nvmlSystemGetCudaDriverVersion(int *version) { *version = 12040; return 0; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 4; return 0; }

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
	if (is("lost"))
		return 15;
	*device = (void *)(long)(index + 1);
	return 0;
}

int nvmlDeviceGetName(void *device, char *to, unsigned room) { return say(to, room, "NVIDIA H100 80GB HBM3"); }

int nvmlDeviceGetUUID(void *device, char *to, unsigned room) {
	char text[64];
	sprintf(text, "GPU-a1b2c30%ld-1111-2222-3333-444455556666", index_of(device));
	return say(to, room, text);
}

int nvmlDeviceGetMemoryInfo(void *device, struct memory *m) {
	m->total = 80ull << 30;
	m->free = m->total - 1;
	m->used = 1;
	return 0;
}

static int at(long index, struct pci *p) {
	memset(p, 0xff, sizeof *p); /* whoever reads past an end sees it */
	sprintf(p->bus_id, "00000000:%02lX:00.0", 0x1b + index);
	return 0;
}

int nvmlDeviceGetPciInfo_v3(void *device, struct pci *p) { return at(index_of(device), p); }

int nvmlDeviceGetNvLinkState(void *device, unsigned link, int *up) {
	static const unsigned links[] = {4, 4, 6, 4};
	if (link >= links[index_of(device)])
		return 3; /* not supported */
	*up = 1;
	return 0;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(void *device, unsigned link, int *kind) {
	*kind = index_of(device) < 2 ? 0 : 2;
	return 0;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void *device, unsigned link, struct pci *p) { return at(1 - index_of(device), p); }

int nvmlDeviceGetFieldValues(void *device, int count, struct field *values) {
	for (int i = 0; i < count; i++) {
		memset(&values[i].value, 0xff, sizeof values[i].value); /* what an int leaves of it is not zero */
		values[i].type = 1;
		values[i].code = values[i].id == 90 ? 0 : 3;
		values[i].value.ui = 26562;
	}
	return 0;
}
