/* Addresses of servers.  An address is what people write: "host:port", "[v6]:port" or "unix:/path", with or without
 * "grpc://" before it.  An endpoint is what the system makes of it, the addresses that are connected to one after the
 * other; looking one up may wait for a name server.  Everything is in the structs; nothing to free but a list.  Errors
 * are those of usage, or EXIT_UNREACHED for a name that is not known.  Any thread. */
#ifndef REMOTE_ADDRESS_H
#define REMOTE_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "base/err.h"
#include "base/text/slice.h"

#define EXIT_UNREACHED 5 /* no server there, or another kind of server */
#define ENDPOINT_MAX 8

struct address {
	char text[280]; /* "host:port", as messages show it and files are named */
	char host[256]; /* without brackets; of a Unix socket its path */
	int port;       /* 0: a Unix socket */
};

struct endpoint {
	struct {
		struct sockaddr_storage to;
		socklen_t n;
	} at[ENDPOINT_MAX];
	size_t n;
	bool loopback; /* all of them are of this machine */
};

int address_parse(struct address *, struct slice text, struct err *);
/* Reads a list with commas between.  port > 0 is for those without one.  The caller frees *list. */
int address_list(struct address **list, size_t *n, const char *text, int port, struct err *);
int address_look_up(const struct address *, struct endpoint *, struct err *);
/* Name for files of this server: "host_port", of letters, digits, dots and dashes, at most 200 bytes. */
char *address_file_name(const struct address *, char *buf, size_t size);
/* Whether this process may use the network; a viewer that only shows files gives it up. */
bool address_network(void);
/* How many sockets of this machine listen on the port: with two, nobody knows which one answers; 0 = not known. */
size_t address_listeners(int port);
bool address_ambiguous(int port, char *buf, size_t size); /* true: says so; buf stays as it is otherwise */

#endif
