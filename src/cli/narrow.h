/* Gives up what showing files never needs: starting programs, and the network.  Whatever a hostile file might make of
 * the program then has less to do harm with.  Programs that the user asks for are started by a process that was forked
 * before (base/helper.h), and it cannot be lied to by keys that nobody pressed.  From then on these calls fail with
 * EPERM, in all threads; what is open stays open.  For the whole process, before it has threads.  Does nothing where
 * the kernel cannot, and with sanitizers, whose reports start programs. */
#ifndef CLI_NARROW_H
#define CLI_NARROW_H

void narrow(void);

#endif
