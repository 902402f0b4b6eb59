#include "config.h"

#include "remote/address.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/un.h>

#include "base/mem.h"

#define FILE_NAME_MAX 200

static int refuse_address(struct slice text, const char *why, struct err *err)
{
	return err_set(err, EXIT_USAGE, ERR_NOWHERE, "%.*s: %s", (int)(text.n > 200 ? 200 : text.n), text.s,
	    why);
}

/* Returns 1 to 65535, or 0. */
static int port_of(struct slice digits)
{
	int port = 0;

	for (size_t i = 0; i < digits.n; i++) {
		if (digits.n > 5 || !isdigit((unsigned char)digits.s[i]))
			return 0;
		port = port * 10 + (digits.s[i] - '0');
	}
	return port <= 65535 ? port : 0;
}

static int parse_unix(struct address *a, struct slice path, struct err *err)
{
	const struct sockaddr_un *un = NULL;

	if (!path.n || path.s[0] != '/' || path.n >= sizeof un->sun_path)
		return refuse_address(path, "the path of a Unix socket begins with / and is short", err);
	snprintf(a->host, sizeof a->host, "%.*s", (int)path.n, path.s);
	snprintf(a->text, sizeof a->text, "unix:%s", a->host);
	return 0;
}

static bool is_host(struct slice h, bool v6)
{
	for (size_t i = 0; i < h.n; i++)
		if (!isalnum((unsigned char)h.s[i]) && !strchr(v6 ? ":.%" : ".-_", h.s[i]))
			return false;
	return h.n > 0 && h.n < 254;
}

int address_parse(struct address *a, struct slice text, struct err *err)
{
	struct slice host, port;
	const char *colon;
	bool v6;

	*a = (struct address){ 0 };
	text = slice_trim(text);
	slice_cut(&text, "grpc://");
	if (slice_cut(&text, "unix:"))
		return parse_unix(a, text, err);
	v6 = text.n && text.s[0] == '[';
	colon = text.n ? memrchr(text.s, ':', text.n) : NULL;
	host = (struct slice){ text.s, colon ? (size_t)(colon - text.s) : text.n };
	port = colon ? (struct slice){ colon + 1, text.n - host.n - 1 } : (struct slice){ "", 0 };
	if (v6 && (host.n < 3 || host.s[host.n - 1] != ']'))
		return refuse_address(text, "must be [address]:port", err);
	if (v6)
		host = (struct slice){ host.s + 1, host.n - 2 };
	if (!is_host(host, v6))
		return refuse_address(text, "must be host:port, [address]:port or unix:/path", err);
	if (!(a->port = port_of(port)))
		return refuse_address(text, "needs a port, for example localhost:9012", err);
	snprintf(a->host, sizeof a->host, "%.*s", (int)host.n, host.s);
	snprintf(a->text, sizeof a->text, v6 ? "[%s]:%d" : "%s:%d", a->host, a->port);
	return 0;
}

/* Parses one entry of a list, to which the port is added if it has none. */
static int parse_entry(struct address *a, struct slice one, int port, struct err *err)
{
	char text[300];
	bool bare = !slice_begins(one, "unix:") && !slice_begins(one, "grpc://") &&
	    (!slice_find(one, ":") || slice_ends(one, "]"));

	if (!port || !bare || one.n > 260)
		return address_parse(a, one, err);
	snprintf(text, sizeof text, "%.*s:%d", (int)one.n, one.s, port);
	return address_parse(a, slice_of(text), err);
}

int address_list(struct address **list, size_t *n, const char *text, int port, struct err *err)
{
	size_t cap = 0;

	*list = NULL;
	*n = 0;
	for (const char *p = text;; p++) {
		struct slice one = slice_trim((struct slice){ p, strcspn(p, ",") });

		VEC_PUSH(*list, *n, cap);
		if (parse_entry(&(*list)[*n], one, port, err)) {
			free(*list);
			*list = NULL;
			*n = 0;
			return -1;
		}
		++*n;
		p += strcspn(p, ",");
		if (!*p)
			return 0;
	}
}

bool address_network(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0)
		close(fd);
	return fd >= 0 || errno != EPERM;
}

static bool is_loopback(const struct sockaddr *to)
{
	const struct sockaddr_in *v4 = (const void *)to;
	const struct sockaddr_in6 *v6 = (const void *)to;

	if (to->sa_family == AF_INET)
		return ntohl(v4->sin_addr.s_addr) >> 24 == 127;
	if (to->sa_family != AF_INET6)
		return to->sa_family == AF_UNIX;
	return IN6_IS_ADDR_LOOPBACK(&v6->sin6_addr) ||
	    (IN6_IS_ADDR_V4MAPPED(&v6->sin6_addr) && v6->sin6_addr.s6_addr[12] == 127);
}

static void add_endpoint(struct endpoint *e, const void *to, socklen_t n)
{
	if (e->n == ENDPOINT_MAX || n > sizeof e->at[0].to)
		return;
	memcpy(&e->at[e->n].to, to, n);
	e->at[e->n++].n = n;
	e->loopback = e->loopback && is_loopback(to);
}

/* This machine by its own name, which is so without any name server (RFC 6761). */
static bool is_localhost(const char *host)
{
	const char *dot = strrchr(host, '.');

	return !strcasecmp(dot ? dot + 1 : host, "localhost");
}

static void look_up_localhost(int port, struct endpoint *e)
{
	const struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
		.sin6_port = htons((uint16_t)port),
		.sin6_addr = IN6ADDR_LOOPBACK_INIT };
	const struct sockaddr_in v4 = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };

	add_endpoint(e, &v6, sizeof v6);
	add_endpoint(e, &v4, sizeof v4);
}

int address_look_up(const struct address *a, struct endpoint *e, struct err *err)
{
	struct addrinfo want = { .ai_socktype = SOCK_STREAM }, *found = NULL;
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	char port[8];
	int bad;

	*e = (struct endpoint){ .loopback = true };
	if (!a->port) {
		snprintf(un.sun_path, sizeof un.sun_path, "%.*s", (int)sizeof un.sun_path - 1, a->host);
		add_endpoint(e, &un, sizeof un);
		return 0;
	}
	if (is_localhost(a->host)) {
		look_up_localhost(a->port, e);
		return 0;
	}
	snprintf(port, sizeof port, "%d", a->port);
	bad = getaddrinfo(a->host, port, &want, &found);
	if (bad)
		return err_set(err, EXIT_UNREACHED, ERR_NOWHERE, "%s: %s; is the name right?", a->text,
		    gai_strerror(bad));
	for (const struct addrinfo *i = found; i; i = i->ai_next)
		add_endpoint(e, i->ai_addr, i->ai_addrlen);
	freeaddrinfo(found);
	return 0;
}

char *address_file_name(const struct address *a, char *buf, size_t size)
{
	size_t n = 0;

	for (const char *p = a->text; *p && n + 1 < size && n < FILE_NAME_MAX; p++)
		buf[n++] = (char)(isalnum((unsigned char)*p) || strchr("._-", *p) ? *p : '_');
	buf[n] = 0;
	if (*buf == '.')
		*buf = '_';
	return buf;
}

/* Counts the sockets in one table of the kernel that listen on the port. */
static size_t listeners_in(const char *table, int port)
{
	FILE *f = fopen(table, "re");
	char line[400];
	unsigned at, state;
	size_t n = 0;

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, " %*d: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x", &at, &state) == 2)
			n += state == 0x0a && at == (unsigned)port;
	if (f)
		fclose(f);
	return n;
}

size_t address_listeners(int port)
{
	return listeners_in("/proc/net/tcp", port) + listeners_in("/proc/net/tcp6", port);
}

bool address_ambiguous(int port, char *buf, size_t size)
{
	if (address_listeners(port) < 2)
		return false;
	snprintf(buf, size,
	    "two processes of this machine listen on port %d: which of them answers is not known", port);
	return true;
}
