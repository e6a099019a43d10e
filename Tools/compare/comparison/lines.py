"""Generates lines of text in many scripts, and vocabularies of their pieces. They depend on a seed only."""
import random
import unicodedata

# The first and last letters of scripts, and characters that stand on their own.
SCRIPTS = (('latin', 0x61, 0x7A), ('capitals', 0x41, 0x5A), ('latin with marks', 0xC0, 0x24F), ('greek', 0x391, 0x3C9), ('cyrillic', 0x410, 0x44F), ('armenian', 0x561, 0x586),
           ('hebrew', 0x5D0, 0x5EA), ('arabic', 0x621, 0x64A), ('devanagari', 0x904, 0x94D), ('bengali', 0x985, 0x9CD), ('tamil', 0xB85, 0xBCD), ('thai', 0xE01, 0xE4E),
           ('tibetan', 0xF40, 0xFBC), ('georgian', 0x10D0, 0x10FA), ('ethiopic', 0x1200, 0x135A), ('cherokee', 0x13A0, 0x13F4), ('khmer', 0x1780, 0x17D3), ('mongolian', 0x1820, 0x1878),
           ('hiragana', 0x3041, 0x3096), ('katakana', 0x30A1, 0x30FF), ('hangul', 0xAC00, 0xD7A3), ('han', 0x4E00, 0x9FA5), ('more han', 0x3400, 0x4DB5), ('rare han', 0x20000, 0x2A6D6),
           ('compatible han', 0xF900, 0xFA2D), ('full width', 0xFF21, 0xFF5A), ('gothic', 0x10330, 0x1034A), ('emoji', 0x1F300, 0x1F64F), ('digits', 0x30, 0x39))
MARKS = [chr(c) for c in range(0x300, 0x36F)]
SPACES = ' ', ' ', ' ', '  ', '\t', '\f', '\v', '\u00a0', '\u2003', '\u3000', '\u200b', '\u2028', '\u0085'
CONTROLS = [chr(c) for c in (*range(1, 10), 11, 12, *range(14, 32), *range(0x7F, 0xA0), 0xAD, 0x200D, 0x202E, 0xFEFF, 0xFFFD, 0xE000)]


def assigned(first, last):
    return [chr(c) for c in range(first, last + 1) if unicodedata.category(chr(c)) not in ('Cn', 'Cs')]


LETTERS = {name: assigned(first, last) for name, first, last in SCRIPTS}
SIGNS = [chr(c) for c in range(0x21, 0x110000) if unicodedata.category(chr(c))[0] in 'PSZ']


def word(chooser):
    if chooser.random() < 0.02:
        return chooser.choice(LETTERS['latin']) * chooser.randint(90, 400)
    script = 'latin' if chooser.random() < 0.5 else chooser.choice(list(LETTERS))
    letters = [chooser.choice(LETTERS[script]) for _ in range(min(chooser.randint(1, 12), chooser.randint(1, 12)))]
    if chooser.random() < 0.2:
        letters[0] = letters[0].upper()
    if chooser.random() < 0.1:
        letters.insert(chooser.randint(0, len(letters)), chooser.choice(MARKS))
    if chooser.random() < 0.05:
        letters.insert(chooser.randint(0, len(letters)), chooser.choice(CONTROLS))
    if chooser.random() < 0.1:
        letters.insert(chooser.randint(0, len(letters)), chooser.choice("'_"))
    return ''.join(letters)


def line(chooser):
    """Returns a line without its end, which can be empty, or longer than models accept."""
    parts = []
    for _ in range(chooser.choice((0, 1, 3, 10, 20, 40, 150))):
        parts.append(word(chooser))
        if chooser.random() < 0.3:
            parts.append(chooser.choice(SIGNS))
        parts.append(chooser.choice(SPACES) if chooser.random() < 0.2 else ' ')
    return ''.join(parts).replace('\n', ' ').replace('\r', ' ')


def lines(seed, count):
    chooser = random.Random(seed)
    return [line(chooser) for _ in range(count)]


def pieces(words, seed, count):
    """Returns a WordPiece vocabulary: first and later parts of words, and single characters."""
    chooser = random.Random(seed)
    found = dict.fromkeys(('[PAD]', '[UNK]', '[CLS]', '[SEP]'))
    for letter in LETTERS['latin'] + LETTERS['digits'] + LETTERS['greek'] + LETTERS['hangul'][::7] + LETTERS['han'][::5]:
        found[letter] = found['##' + letter] = None
    while len(found) < count:
        chosen = chooser.choice(words)
        start = chooser.choice((0, 0, chooser.randint(0, len(chosen) - 1)))
        part = chosen[start:start + chooser.choice((1, 1, 2, 2, 3, 4, 8))]
        found[part if start == 0 else '##' + part] = None
    return list(found)


def words(seen, seed, count):
    """Returns a vocabulary of words, with numbers that differ from the line numbers."""
    chooser = random.Random(seed)
    chosen = sorted(set(seen))
    chooser.shuffle(chosen)
    return {name: 3 * index + 1 for index, name in enumerate(['<PAD>', '<START>', '<UNKNOWN>'] + chosen[:count])}
