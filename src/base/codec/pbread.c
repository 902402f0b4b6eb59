#include "config.h"

#include "base/codec/pbread.h"

#include <stdlib.h>
#include <string.h>

#include "base/codec/wire.h"
#include "base/text/units.h"

/* Bytes of message per byte of input: the smallest nested message takes two bytes, but those that mean something
 * grow by about five. */
#define GROWTH 256
#define USUAL_GROWTH 8
#define MEMORY_MIN ((size_t)1 << 20)
#define MEMORY_ANY ((size_t)128 << 20) /* more only at the usual growth */
#define MEMORY_MAX ((size_t)1 << 30)

struct pool {
	struct arena *arena;
	size_t left;
	bool refused;
};

static void *pool_alloc(void *data, size_t size)
{
	struct pool *p = data;

	size = arena_size(size);
	if (size > p->left) {
		p->refused = true;
		return NULL;
	}
	p->left -= size;
	return arena_alloc(p->arena, size);
}

static void pool_free(void *data, void *block)
{
	(void)data;
	(void)block;
}

static struct pool pool_for(struct arena *a, size_t n)
{
	size_t any = n < MEMORY_ANY / GROWTH ? MEMORY_MIN + n * GROWTH : MEMORY_ANY;
	size_t usual = n < MEMORY_MAX / USUAL_GROWTH ? n * USUAL_GROWTH : MEMORY_MAX;

	return (struct pool){ .arena = a, .left = any > usual ? any : usual };
}

static void not_made(const struct pool *p, const ProtobufCMessageDescriptor *m, size_t n, uint64_t at,
    struct err *err)
{
	char size[32];

	if (p->refused)
		err_set(err, EXIT_NOTHING, ERR_NOWHERE,
		    "its %s of %s has so many small parts that it would take many times that memory; "
		    "the file may be damaged or malicious",
		    m->short_name, units_bytes(size, sizeof size, (double)n));
	else
		err_set(err, EXIT_NOTHING, at, "not a valid %s", m->short_name);
}

static bool type_fits(const ProtobufCFieldDescriptor *f, uint8_t type)
{
	static const uint8_t wire[] = {
		[PROTOBUF_C_TYPE_SFIXED32] = 5,
		[PROTOBUF_C_TYPE_FIXED32] = 5,
		[PROTOBUF_C_TYPE_FLOAT] = 5,
		[PROTOBUF_C_TYPE_SFIXED64] = 1,
		[PROTOBUF_C_TYPE_FIXED64] = 1,
		[PROTOBUF_C_TYPE_DOUBLE] = 1,
		[PROTOBUF_C_TYPE_STRING] = 2,
		[PROTOBUF_C_TYPE_BYTES] = 2,
		[PROTOBUF_C_TYPE_MESSAGE] = 2,
	};

	return type == wire[f->type] || (type == 2 && f->label == PROTOBUF_C_LABEL_REPEATED);
}

/* Walks everything that protobuf-c would parse; offsets in errors count from `base`. */
static int check(const ProtobufCMessageDescriptor *m, const uint8_t *base, const uint8_t *p, size_t n,
    int depth, struct err *err)
{
	struct wire w = wire_open(p, n);
	const uint8_t *at = p;

	for (; wire_next(&w); at = w.p) {
		const ProtobufCFieldDescriptor *f = protobuf_c_message_descriptor_get_field(m, w.field);

		if (f && !type_fits(f, w.type))
			return err_set(err, EXIT_NOTHING, (uint64_t)(at - base),
			    "%s of %s has the wrong type; the file may be damaged", f->name, m->short_name);
		if (!f || f->type != PROTOBUF_C_TYPE_MESSAGE)
			continue;
		if (depth == PB_DEPTH)
			return err_set(err, EXIT_NOTHING, (uint64_t)(at - base),
			    "messages are nested too deeply");
		if (check(f->descriptor, base, w.s, w.n, depth + 1, err))
			return -1;
	}
	if (!w.bad)
		return 0;
	return err_set(err, EXIT_NOTHING, (uint64_t)((w.cut ? w.end : w.p) - base), "not a valid %s: %s",
	    m->short_name,
	    w.cut ? "it ends too early; the file may be cut off"
		  : "an invalid field; the file may be damaged");
}

void *pb_read(const ProtobufCMessageDescriptor *m, struct arena *a, const void *bytes, size_t n,
    struct err *err)
{
	struct pool pool = pool_for(a, n);
	ProtobufCAllocator allocator = { pool_alloc, pool_free, &pool };
	void *message;

	if (check(m, bytes, bytes, n, 0, err))
		return NULL;
	message = protobuf_c_message_unpack(m, &allocator, n, bytes);
	if (!message)
		not_made(&pool, m, n, ERR_NOWHERE, err);
	return message;
}

/* A copy of a message without unknown fields and long bytes.  It is never longer than the original, because
 * lengths of messages are written in the same number of bytes. */
struct lean {
	const uint8_t *base;
	uint8_t *to;
	size_t longest;
	uint64_t damaged;
	const char *what; /* the message that is damaged */
};

static void damage(struct lean *l, const ProtobufCMessageDescriptor *m, const uint8_t *at)
{
	if (l->damaged == ERR_NOWHERE) {
		l->damaged = (uint64_t)(at - l->base);
		l->what = m->short_name;
	}
}

static void put_length(uint8_t *to, size_t room, size_t n)
{
	for (size_t i = 0; i < room; i++, n >>= 7)
		to[i] = (uint8_t)((n & 127) | (i + 1 < room ? 128 : 0));
}

static void copy_message(struct lean *l, const ProtobufCMessageDescriptor *m, const uint8_t *p, size_t n,
    int depth);

static void copy_inner(struct lean *l, const ProtobufCMessageDescriptor *m, const struct wire *w,
    const uint8_t *at, int depth)
{
	size_t head = (size_t)(w->s - at), key = 0;
	uint8_t *length;

	while (at[key++] & 128)
		;
	memcpy(l->to, at, head);
	length = l->to + key;
	l->to += head;
	copy_message(l, m, w->s, w->n, depth);
	put_length(length, head - key, (size_t)(l->to - length) - (head - key));
}

static bool is_field_of(const void *message, const struct wire *w)
{
	const ProtobufCFieldDescriptor *f = protobuf_c_message_descriptor_get_field(message, w->field);

	return f && type_fits(f, w->type);
}

/* Reads the next field, after those that cannot be read. */
static bool next_field(struct lean *l, const ProtobufCMessageDescriptor *m, struct wire *w,
    const uint8_t **at)
{
	*at = w->p;
	while (!wire_next(w)) {
		if (!w->bad || w->cut)
			return false;
		damage(l, m, w->p);
		if (!wire_resume(w, is_field_of, m))
			return false;
		*at = w->p;
	}
	return true;
}

static void copy_message(struct lean *l, const ProtobufCMessageDescriptor *m, const uint8_t *p, size_t n,
    int depth)
{
	struct wire w = wire_open(p, n);
	const ProtobufCFieldDescriptor *f;
	const uint8_t *at;

	while (next_field(l, m, &w, &at)) {
		f = protobuf_c_message_descriptor_get_field(m, w.field);
		if (!f || (f->type == PROTOBUF_C_TYPE_BYTES && w.type == 2 && w.n > l->longest))
			continue;
		if (!type_fits(f, w.type) || (f->type == PROTOBUF_C_TYPE_MESSAGE && depth == PB_DEPTH)) {
			damage(l, m, at);
		} else if (f->type == PROTOBUF_C_TYPE_MESSAGE) {
			copy_inner(l, f->descriptor, &w, at, depth + 1);
		} else {
			memcpy(l->to, at, (size_t)(w.p - at));
			l->to += w.p - at;
		}
	}
	if (!w.bad)
		return;
	f = w.cut && w.s ? protobuf_c_message_descriptor_get_field(m, w.field) : NULL;
	if (f && f->type == PROTOBUF_C_TYPE_MESSAGE && depth < PB_DEPTH)
		copy_inner(l, f->descriptor, &w, at, depth + 1);
	damage(l, m, w.cut ? w.end : w.p);
}

void *pb_read_lean(const ProtobufCMessageDescriptor *m, struct arena *a, const void *bytes, size_t n,
    size_t longest, struct err *damaged, struct err *err)
{
	uint8_t *lean = mem_try(NULL, n + 1, 1);
	struct lean l = { .base = bytes, .to = lean, .longest = longest, .damaged = ERR_NOWHERE };
	struct pool pool;
	ProtobufCAllocator allocator = { pool_alloc, pool_free, &pool };
	void *message;

	*damaged = (struct err){ .at = ERR_NOWHERE };
	if (!lean) {
		err_set(err, EXIT_NOTHING, ERR_NOWHERE, "not enough memory for a message of %zu bytes", n);
		return NULL;
	}
	copy_message(&l, m, bytes, n, 0);
	pool = pool_for(a, (size_t)(l.to - lean));
	message = protobuf_c_message_unpack(m, &allocator, (size_t)(l.to - lean), lean);
	free(lean);
	if (!message)
		not_made(&pool, m, n, l.damaged, err);
	if (l.damaged != ERR_NOWHERE)
		err_set(damaged, EXIT_DAMAGED, l.damaged,
		    "not a valid %s at byte %llu: cut off or damaged; what is whole is kept", l.what,
		    (unsigned long long)l.damaged);
	return message;
}

struct reading {
	struct pool pool;
	struct err *err;
};

static void *take_memory(struct reading *r, size_t n, size_t size)
{
	size_t bytes;
	void *p = mem_mul(n, size, &bytes) ? pool_alloc(&r->pool, bytes) : NULL;

	if (!p)
		err_set(r->err, EXIT_NOTHING, ERR_NOWHERE, "a message that needs too much memory");
	return p;
}

/* Compares names: "heapSizes" is the field heap_sizes. */
static bool same_name(const char *field, const char *key)
{
	for (; *field && *key; field++, key++) {
		if (*field == '_' && *key != '_') {
			field++;
			if (*key >= 'A' && *key <= 'Z' ? *field != *key + ('a' - 'A') : *field != *key)
				return false;
		} else if (*field != *key) {
			return false;
		}
	}
	return !*field && !*key;
}

static const ProtobufCFieldDescriptor *field_of(const ProtobufCMessageDescriptor *m, const char *key)
{
	for (unsigned i = 0; i < m->n_fields; i++)
		if (same_name(m->fields[i].name, key))
			return &m->fields[i];
	return NULL;
}

static const size_t size_of[] = {
	[PROTOBUF_C_TYPE_INT32] = 4,
	[PROTOBUF_C_TYPE_SINT32] = 4,
	[PROTOBUF_C_TYPE_SFIXED32] = 4,
	[PROTOBUF_C_TYPE_UINT32] = 4,
	[PROTOBUF_C_TYPE_FIXED32] = 4,
	[PROTOBUF_C_TYPE_FLOAT] = 4,
	[PROTOBUF_C_TYPE_INT64] = 8,
	[PROTOBUF_C_TYPE_SINT64] = 8,
	[PROTOBUF_C_TYPE_SFIXED64] = 8,
	[PROTOBUF_C_TYPE_UINT64] = 8,
	[PROTOBUF_C_TYPE_FIXED64] = 8,
	[PROTOBUF_C_TYPE_DOUBLE] = 8,
	[PROTOBUF_C_TYPE_BOOL] = sizeof(protobuf_c_boolean),
	[PROTOBUF_C_TYPE_ENUM] = sizeof(int),
	[PROTOBUF_C_TYPE_STRING] = sizeof(char *),
	[PROTOBUF_C_TYPE_BYTES] = sizeof(ProtobufCBinaryData),
	[PROTOBUF_C_TYPE_MESSAGE] = sizeof(void *),
};

static int wrong(struct reading *r, const ProtobufCFieldDescriptor *f)
{
	return err_set(r->err, EXIT_NOTHING, ERR_NOWHERE,
	    "the value of %s is invalid; the file may be damaged", f->name);
}

static int put_integer(struct reading *r, const ProtobufCFieldDescriptor *f, const char *text, size_t n,
    void *out)
{
	char *end;
	uint64_t v = *text == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);

	if (!n)
		return wrong(r, f);
	if (end != text + n) {
		double d = json_number(&(struct json){ .type = JSON_STRING, .s = text, .len = n }, 0.5);

		if (!(d >= -9.2e18 && d <= 9.2e18) || d != (double)(int64_t)d)
			return wrong(r, f);
		v = (uint64_t)(int64_t)d;
	}
	if (size_of[f->type] == 8)
		memcpy(out, &v, 8);
	else
		memcpy(out, &(uint32_t){ (uint32_t)v }, 4);
	return 0;
}

static int put_enum(const ProtobufCFieldDescriptor *f, const struct json *j, void *out)
{
	const ProtobufCEnumDescriptor *e = f->descriptor;
	const ProtobufCEnumValue *v;

	if (j->type == JSON_NUMBER) {
		*(int *)out = (int)strtol(j->s, NULL, 10);
		return 0;
	}
	v = j->type == JSON_STRING ? protobuf_c_enum_descriptor_get_value_by_name(e, j->s) : NULL;
	*(int *)out = v ? v->value : 0;
	return 0;
}

static int base64_digit(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *p;

	c = c == '-' ? '+' : c == '_' ? '/' : c;
	p = c ? strchr(digits, c) : NULL;
	return p ? (int)(p - digits) : -1;
}

static int put_bytes(struct reading *r, const ProtobufCFieldDescriptor *f, const struct json *j,
    ProtobufCBinaryData *out)
{
	uint32_t bits = 0;
	size_t n = 0;

	if (j->type != JSON_STRING)
		return wrong(r, f);
	if (!(out->data = take_memory(r, j->len / 4 * 3 + 3, 1)))
		return -1;
	for (size_t i = 0; i < j->len && j->s[i] != '='; i++) {
		int digit = base64_digit(j->s[i]);

		if (digit < 0)
			return wrong(r, f);
		bits = bits << 6 | (uint32_t)digit;
		if (i % 4)
			out->data[n++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
	}
	out->len = n;
	return 0;
}

static int put_message(struct reading *, const ProtobufCMessageDescriptor *, const struct json *, void **out);

static int put_value(struct reading *r, const ProtobufCFieldDescriptor *f, const struct json *j, void *out)
{
	double d;

	switch (f->type) {
	case PROTOBUF_C_TYPE_MESSAGE:
		return put_message(r, f->descriptor, j, out);
	case PROTOBUF_C_TYPE_STRING:
		*(char **)out = (char *)(uintptr_t)j->s;
		return j->type == JSON_STRING ? 0 : wrong(r, f);
	case PROTOBUF_C_TYPE_BYTES:
		return put_bytes(r, f, j, out);
	case PROTOBUF_C_TYPE_BOOL:
		*(protobuf_c_boolean *)out = j->type == JSON_TRUE;
		return j->type == JSON_TRUE || j->type == JSON_FALSE ? 0 : wrong(r, f);
	case PROTOBUF_C_TYPE_ENUM:
		return put_enum(f, j, out);
	case PROTOBUF_C_TYPE_DOUBLE:
	case PROTOBUF_C_TYPE_FLOAT:
		d = json_number(j, 0);
		if (j->type != JSON_NUMBER && j->type != JSON_STRING)
			return wrong(r, f);
		if (f->type == PROTOBUF_C_TYPE_DOUBLE)
			memcpy(out, &d, 8);
		else
			memcpy(out, &(float){ (float)d }, 4);
		return 0;
	default:
		return j->type == JSON_NUMBER || j->type == JSON_STRING ? put_integer(r, f, j->s, j->len, out)
									: wrong(r, f);
	}
}

/* Adds one member of an object that represents a map, as a message with key and value. */
static int put_entry(struct reading *r, const ProtobufCFieldDescriptor *f, const struct json *j, void **out)
{
	const ProtobufCMessageDescriptor *m = f->descriptor;
	const ProtobufCFieldDescriptor *key = field_of(m, "key"), *value = field_of(m, "value");
	struct json name = { .type = JSON_STRING, .s = j->key, .len = strlen(j->key) };
	struct json as_bool = { .type = strcmp(j->key, "true") ? JSON_FALSE : JSON_TRUE };
	char *entry;

	if (!key || !value || !(entry = take_memory(r, 1, m->sizeof_message)))
		return wrong(r, f);
	m->message_init((ProtobufCMessage *)(void *)entry);
	*out = entry;
	if (put_value(r, key, key->type == PROTOBUF_C_TYPE_BOOL ? &as_bool : &name, entry + key->offset))
		return -1;
	if (key->quantifier_offset)
		*(protobuf_c_boolean *)(void *)(entry + key->quantifier_offset) = 1;
	if (j->type == JSON_NULL)
		return 0;
	if (value->quantifier_offset)
		*(protobuf_c_boolean *)(void *)(entry + value->quantifier_offset) = 1;
	return put_value(r, value, j, entry + value->offset);
}

static int put_repeated(struct reading *r, const ProtobufCFieldDescriptor *f, const struct json *j,
    char *message)
{
	bool map = j->type == JSON_OBJECT && f->type == PROTOBUF_C_TYPE_MESSAGE;
	size_t size = size_of[f->type], n = 0;
	char *v;

	if (!map && j->type != JSON_ARRAY)
		return wrong(r, f);
	if (!j->n)
		return 0;
	if (!(v = take_memory(r, j->n, size)))
		return -1;
	for (const struct json *x = j->child; x; x = x->next, n++)
		if (map ? put_entry(r, f, x, (void **)(void *)(v + n * size))
			: put_value(r, f, x, v + n * size))
			return -1;
	memcpy(message + f->offset, &v, sizeof v);
	memcpy(message + f->quantifier_offset, &n, sizeof n);
	return 0;
}

/* Recurses as deep as the JSON, which json_parse() limits. */
static int put_message(struct reading *r, const ProtobufCMessageDescriptor *m, const struct json *j,
    void **out)
{
	char *message;

	if (j->type != JSON_OBJECT)
		return err_set(r->err, EXIT_NOTHING, ERR_NOWHERE, "not a valid %s: not an object",
		    m->short_name);
	if (!(message = take_memory(r, 1, m->sizeof_message)))
		return -1;
	m->message_init((ProtobufCMessage *)(void *)message);
	for (const struct json *x = j->child; x; x = x->next) {
		const ProtobufCFieldDescriptor *f = field_of(m, x->key);

		if (!f || x->type == JSON_NULL)
			continue;
		if (f->label == PROTOBUF_C_LABEL_REPEATED) {
			if (put_repeated(r, f, x, message))
				return -1;
			continue;
		}
		if (put_value(r, f, x, message + f->offset))
			return -1;
		if (f->quantifier_offset && f->type != PROTOBUF_C_TYPE_MESSAGE &&
		    f->type != PROTOBUF_C_TYPE_STRING)
			*(protobuf_c_boolean *)(void *)(message + f->quantifier_offset) = 1;
	}
	*out = message;
	return 0;
}

/* Strings are not copied: they stay where the JSON has them. */
void *pb_read_json(const ProtobufCMessageDescriptor *m, struct arena *a, const struct json *j,
    struct err *err)
{
	struct reading r = { { .arena = a, .left = MEMORY_MAX }, err };
	void *message = NULL;

	return put_message(&r, m, j, &message) ? NULL : message;
}
