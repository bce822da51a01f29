#!/usr/bin/env python3
"""A captured terminal as a picture: `render.py COLUMNS ROWS <capture >picture.png`.

Reads what `tmux capture-pane -e` writes: text with SGR sequences. Knows bold, dim and the 16 colours, which is all that
etalon uses. A red line stands below the last row of the screen where there is more.
"""

import io
import re
import sys
import unicodedata

from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono"
SIZE, MARGIN = 16, 8
BACKGROUND, FOREGROUND = (24, 24, 24), (220, 220, 220)
COLOURS = [
    (80, 80, 80), (240, 90, 80), (110, 200, 90), (220, 190, 80), (100, 150, 240), (200, 120, 220), (90, 200, 210),
    (220, 220, 220),
]


def cells(text: str):
    """Each character with its row, column and style; tmux says a style where it changes, also across lines."""
    bold = dim = False
    colour = FOREGROUND
    row = column = 0
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        if part.startswith("\x1b["):
            for code in (int(code or 0) for code in part[2:-1].split(";")):
                if code == 0:
                    bold, dim, colour = False, False, FOREGROUND
                elif code == 1:
                    bold = True
                elif code == 2:
                    dim = True
                elif code == 22:
                    bold = dim = False
                elif code == 39:
                    colour = FOREGROUND
                elif 30 <= code <= 37:
                    colour = COLOURS[code - 30]
            continue
        for character in part:
            if character == "\n":
                row, column = row + 1, 0
                continue
            shown = tuple(value // 2 for value in colour) if dim else colour
            yield row, column, character, bold, shown
            column += 2 if unicodedata.east_asian_width(character) in "WF" else 1


def main() -> None:
    columns, rows = int(sys.argv[1]), int(sys.argv[2])
    text = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8").read().rstrip("\n")
    fonts = {False: ImageFont.truetype(FONTS + ".ttf", SIZE), True: ImageFont.truetype(FONTS + "-Bold.ttf", SIZE)}
    width, height = round(fonts[False].getlength("M")), SIZE + 5
    shown = max(rows, text.count("\n") + 1)
    image = Image.new("RGB", (columns * width + 2 * MARGIN, shown * height + 2 * MARGIN), BACKGROUND)
    draw = ImageDraw.Draw(image)
    for row, column, character, bold, colour in cells(text):
        draw.text((MARGIN + column * width, MARGIN + row * height), character, colour, fonts[bold])
    if shown > rows:
        y = MARGIN + rows * height
        draw.line((0, y, image.width, y), COLOURS[1])
    image.save(sys.stdout.buffer, "PNG")


if __name__ == "__main__":
    main()
