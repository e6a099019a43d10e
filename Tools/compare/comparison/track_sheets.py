"""Draws tracks on their frames."""
import colorsys
import os

from . import mot_files, videos

COLUMNS, ROWS = 4, 3


def color(identity):
    """Returns a distinct color for each identity: steps of the golden ratio around the color circle."""
    return tuple(int(255 * part) for part in colorsys.hsv_to_rgb(identity * 0.618034 % 1, 0.9, 1))


def draw(folder, frames_folder, path):
    """Writes a sheet of frames, evenly distributed over the sequence, with boxes, IDs, and trails."""
    from PIL import Image, ImageDraw
    names = sorted(os.listdir(frames_folder))
    seeing = os.path.join(folder, videos.SEEING + '.txt')
    tracks = mot_files.frames(seeing if os.path.exists(seeing) else os.path.join(folder, 'result.txt'), len(names))
    first = Image.open(os.path.join(frames_folder, names[0]))
    sheet = Image.new('RGB', (COLUMNS * first.width, ROWS * first.height))
    for cell in range(COLUMNS * ROWS):
        number = (2 * cell + 1) * len(names) // (2 * COLUMNS * ROWS)
        frame = Image.open(os.path.join(frames_folder, names[number])).convert('RGB')
        pen = ImageDraw.Draw(frame)
        for identity, (left, top, right, bottom) in zip(tracks[number][0], tracks[number][1]):
            trail = [((box[0] + box[2]) / 2, (box[1] + box[3]) / 2) for ids, boxes, _ in tracks[max(0, number - 15):number + 1]
                     for other, box in zip(ids, boxes) if other == identity]
            if len(trail) > 1:
                pen.line(trail, fill=color(identity), width=2)
            pen.rectangle((left, top, right, bottom), outline=color(identity), width=2)
            pen.rectangle((left, top, left + 24, top + 11), fill=color(identity))
            pen.text((left + 2, top), str(identity), fill=(0, 0, 0))
        pen.text((4, frame.height - 12), 'frame %d' % (number + 1), fill=(255, 255, 255))
        sheet.paste(frame, (cell % COLUMNS * first.width, cell // COLUMNS * first.height))
    os.makedirs(os.path.dirname(path), exist_ok=True)
    sheet.save(path)
