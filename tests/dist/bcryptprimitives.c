/* Debian's wine 8 has no bcryptprimitives.dll, which Rust's library takes its random numbers from; every
   Windows since 7 has. This gives wine the one function that is asked for. */
#include <stddef.h>

__declspec(dllimport) unsigned char SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int ProcessPrng(unsigned char *buffer, size_t length) {
  return SystemFunction036(buffer, (unsigned long)length);
}
