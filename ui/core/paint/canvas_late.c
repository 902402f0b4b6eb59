#include "config.h"
#include "core/paint/canvas.h"

#include <string.h>

/* Bytes, about, to move the cursor, to change the look, and to erase the rest of a row; cells up to NEAR are
 * sent again in place of a move. */
enum { MOVE = 8, LOOK = 8, ERASE = 3, NEAR = 5 };

static bool same_look(const struct canvas_cell *a, const struct canvas_cell *b)
{
	return a->role == b->role && a->attr == b->attr && a->under == b->under;
}

static int utf8_bytes(uint32_t ch)
{
	return ch < 0x80 ? ch > 0 : ch < 0x800 ? 2 : ch < 0x10000 ? 3 : 4;
}

/* Bytes that the changes in some cells of a row take; cells from `blank` on are empty up to its end. */
static int cost_of_row(const struct canvas_cell *now, const struct canvas_cell *before, int from, int to,
    int blank)
{
	static const struct canvas_cell plain = { .ch = ' ' };
	const struct canvas_cell *look = &plain;
	int bytes = 0, gap = NEAR + 1;

	for (int x = from; x < to; x++, gap++) {
		if (now[x].ch == before[x].ch && same_look(&now[x], &before[x]))
			continue;
		bytes += gap > NEAR ? MOVE : gap;
		if (x >= blank)
			return bytes + ERASE;
		bytes += utf8_bytes(now[x].ch) + (same_look(&now[x], look) ? 0 : LOOK);
		look = &now[x];
		gap = -1;
	}
	return bytes;
}

/* The first cell of the empty end of a row. */
static int end_of_row(const struct canvas_cell *row, int cols)
{
	while (cols > 0 && row[cols - 1].ch == ' ' && !row[cols - 1].role && !row[cols - 1].attr)
		cols--;
	return cols;
}

void canvas_late(struct canvas *c, struct rect r)
{
	size_t n = 0, most = sizeof c->late / sizeof *c->late;

	while (n < most && c->late[n].h > 0)
		n++;
	if (n < most)
		c->late[n] = rect_common(r, (struct rect){ 0, 0, c->rows, c->cols });
}

void canvas_late_cell(struct canvas *c, int y, int x)
{
	if (y >= 0 && y < c->rows && x >= 0 && x < c->cols)
		c->cells[(size_t)y * (size_t)c->cols + (size_t)x].late = 1;
}

/* Changes since the frame before. */
struct changes {
	struct canvas *c;
	const struct canvas_cell *before;
	bool back; /* they are taken back from now on */
};

/* Takes the changes of a row back, or returns their cost. */
static int row_of_area(const struct changes *ch, const struct rect *r, int y)
{
	size_t at = (size_t)y * (size_t)ch->c->cols;
	struct canvas_cell *now = ch->c->cells + at;

	if (!ch->back)
		return cost_of_row(now, ch->before + at, r->x, r->x + r->w, end_of_row(now, ch->c->cols));
	memcpy(now + r->x, ch->before + at + r->x, (size_t)r->w * sizeof *now);
	return 0;
}

/* Takes back lines that may follow, and the end of those that were there; returns whether there are any. */
static bool hold_cells(const struct changes *ch)
{
	struct canvas_cell *now = ch->c->cells;
	size_t n = (size_t)ch->c->rows * (size_t)ch->c->cols;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		const struct canvas_cell *old = &ch->before[i];

		if ((now[i].late || old->late) && (now[i].ch != old->ch || !same_look(&now[i], old))) {
			now[i] = *old;
			any = true;
		}
	}
	return any;
}

static int cost_of_all(const struct changes *ch)
{
	const struct rect whole = { 0, 0, ch->c->rows, ch->c->cols };
	int bytes = 0;

	for (int y = 0; y < ch->c->rows; y++)
		bytes += row_of_area(ch, &whole, y);
	return bytes;
}

bool canvas_hold(struct canvas *c, const struct canvas_cell *before, int most)
{
	struct changes ch = { c, before, false };
	size_t n = sizeof c->late / sizeof *c->late;
	int bytes = cost_of_all(&ch);
	bool held = bytes > most && hold_cells(&ch);

	if (held)
		bytes = cost_of_all(&ch);
	if (bytes <= most || c->late[0].h <= 0)
		return held;
	for (size_t i = 0; i < n; i++)
		for (int y = c->late[i].y; y < c->late[i].y + c->late[i].h; y++)
			bytes -= row_of_area(&ch, &c->late[i], y);
	for (size_t i = 0; i < n; i++)
		for (int y = c->late[i].y; y < c->late[i].y + c->late[i].h; y++) {
			bytes += row_of_area(&ch, &c->late[i], y);
			if (bytes > most) {
				ch.back = true;
				row_of_area(&ch, &c->late[i], y);
			}
		}
	return held || ch.back;
}
