/* CRC-32C (Castagnoli), and the masked form in which record files store it.  Pure; any thread. */
#ifndef BASE_CODEC_CRC32C_H
#define BASE_CODEC_CRC32C_H

#include <stddef.h>
#include <stdint.h>

uint32_t crc32c(const void *, size_t);

/* A checksum that covers data with checksums in it would be weak, so stored ones are rotated and shifted. */
static inline uint32_t crc32c_mask(uint32_t crc)
{
	return ((crc >> 15) | (crc << 17)) + 0xa282ead8u;
}

#endif
