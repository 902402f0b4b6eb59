#include "config.h"
#include "cli/narrow.h"

#if defined(__linux__) && !defined(ENABLE_SANITIZE) && (defined(__x86_64__) || defined(__aarch64__))

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#ifdef __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#define OTHER_TABLE 0x40000000u /* from here on calls of x32 */
#else
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#define OTHER_TABLE 0x80000000u
#endif

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE ANSWER(SECCOMP_RET_ERRNO | EPERM)
/* of an ioctl: the second argument, whose lower half is all that these know */
#define REFUSED_CONTROL(what) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 4), LOAD(args[1]), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, what, 0, 1), REFUSE, LOAD(nr)
#define REFUSED(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), REFUSE

void narrow(void)
{
	struct sock_filter code[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
		REFUSE,
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, OTHER_TABLE, 0, 1),
		REFUSE,
		REFUSED(execve),
		REFUSED(execveat),
		REFUSED(socket),
		REFUSED(socketpair),
		REFUSED(ptrace),
		REFUSED(process_vm_readv),
		REFUSED(process_vm_writev),
#ifdef SYS_io_uring_setup
		REFUSED(io_uring_setup),
#endif
		REFUSED_CONTROL(TIOCSTI), /* keys that nobody pressed, for the helper or the shell */
		REFUSED_CONTROL(TIOCLINUX),
		ANSWER(SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = { sizeof code / sizeof *code, code };

	if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

void narrow(void) {}

#endif
