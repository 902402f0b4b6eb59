/* HighwayHash-64: the values that its authors published for the bytes 0, 1, 2, … under the key 0 … 31, one for each
 * length, and what record files of Riegeli begin with. */
#include "config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/codec/highway.h"

static const uint64_t published[] = {
	0x907a56de22c26e53u,
	0x7eab43aac7cddd78u,
	0xb8d0569ab0b53d62u,
	0x5c6befab8a463d80u,
	0xf205a46893007edau,
	0x2b8a1668e4a94541u,
	0xbd4ccc325befca6fu,
	0x4d02ae1738f59482u,
	0xe1205108e55f3171u,
	0x32d2644ec77a1584u,
	0xf6e10acdb103a90bu,
	0xc3bbf4615b415c15u,
	0x243cc2040063fa9cu,
	0xa89a58ce65e641ffu,
	0x24b031a348455a23u,
	0x40793f86a449f33bu,
	0xcfab3489f97eb832u,
	0x19fe67d2c8c5c0e2u,
	0x04dd90a69c565cc2u,
	0x75d9518e2371c504u,
	0x38ad9b1141d3dd16u,
	0x0264432ccd8a70e0u,
	0xa9db5a6288683390u,
	0xd7b05492003f028cu,
	0x205f615aea59e51eu,
	0xeee0c89621052884u,
	0x1bfc1a93a7284f4fu,
	0x512175b5b70da91du,
	0xf71f8976a0a2c639u,
	0xae093fef1f84e3e7u,
	0x22ca92b01161860fu,
	0x9fc7007ccf035a68u,
	0xa0c964d9ecd580fcu,
	0x2c90f73ca03181fcu,
	0x185cf84e5691eb9eu,
	0x4fc1f5ef2752aa9bu,
	0xf5b7391a5e0a33ebu,
	0xb9b84b83b4e96c9cu,
	0x5e42fe712a5cd9b4u,
	0xa150f2f90c3f97dcu,
	0x7fa522d75e2d637du,
	0x181ad0cc0dffd32bu,
	0x3889ed981e854028u,
	0xfb4297e8c586ee2du,
	0x6d064a45bb28059cu,
	0x90563609b3ec860cu,
	0x7aa4fce94097c666u,
	0x1326bac06b911e08u,
	0xb926168d2b154f34u,
	0x9919848945b1948du,
	0xa2a98fc534825ebeu,
	0xe9809095213ef0b6u,
	0x582e5483707bc0e9u,
	0x086e9414a88a6af5u,
	0xee86b98d20f6743du,
	0xf89b7ff609b1c0a7u,
	0x4c7d9cc19e22c3e8u,
	0x9a97005024562a6fu,
	0x5dd41cf423e6ebefu,
	0xdf13609c0468e227u,
	0x6e0da4f64188155au,
	0xb755ba4b50d7d4a1u,
	0x887a3484647479bdu,
	0xab8eebe9bf2139a0u,
	0x75542c5d4cd2a6ffu,
};

static void lengths(void **state)
{
	static const uint64_t key[4] = { 0x0706050403020100u, 0x0f0e0d0c0b0a0908u, 0x1716151413121110u,
		0x1f1e1d1c1b1a1918u };
	uint8_t bytes[80];

	(void)state;
	for (size_t from = 0; from < 9; from++) {
		for (size_t i = from; i < sizeof bytes; i++)
			bytes[i] = (uint8_t)(i - from);
		for (size_t n = 0; n < sizeof published / sizeof *published; n++)
			assert_int_equal(highway_hash(key, bytes + from, n), published[n]);
	}
}

static void records(void **state)
{
	static const uint64_t key[4] = { 0x2f696c6567656952u, 0x0a7364726f636572u, 0x2f696c6567656952u,
		0x0a7364726f636572u };
	static const uint8_t block[16] = { [8] = 0x40 };

	(void)state;
	assert_int_equal(highway_hash(key, "", 0), 0x72c3b1e9c0139fe1u);
	assert_int_equal(highway_hash(key, block, sizeof block), 0x3f4a880dd170af83u);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lengths), cmocka_unit_test(records) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
