/* Mouse events.  The mouse is off by default, so that the terminal's own selection works.  Positions are
 * cells of the screen, from 0; `dir` is the direction of the wheel (-1 = up, away from the user).  A drag
 * continues until the button is released, also outside of the area where it began. */
#ifndef CORE_INPUT_MOUSE_H
#define CORE_INPUT_MOUSE_H

#include <stdint.h>

/* buttons and wheel; moves only while a button is held */
enum mouse_mode { MOUSE_OFF, MOUSE_CLICKS, MOUSE_DRAGS };
enum mouse_kind { MOUSE_PRESS, MOUSE_DRAG, MOUSE_RELEASE, MOUSE_WHEEL };

struct mouse {
	enum mouse_kind kind;
	int button; /* 1 left, 2 middle, 3 right; 0 for the wheel */
	int dir, y, x;
	uint8_t mods; /* MOD_ of core/input/key.h */
};

#endif
