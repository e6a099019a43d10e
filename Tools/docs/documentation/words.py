"""Words: no page and no comment has a word that the style guide replaces by another one, and public initializers are documented as "Creates …"."""
import os
import re

from . import package, pages

RULES = os.path.join('Tools', 'docs', 'words.txt')
# Code, addresses, markup, quotations and options.
NOISE = re.compile(r'``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^<>]*>|https?://\S+|\b[\w.-]+/[\w./-]+|--[\w-]+|"[^"]*"')


def lines(path):
    """The lines of a file of Tools/docs, without comments."""
    return [line for line in pages.read(path).split('\n') if line and not line.startswith('#')]


def rules():
    """Regular expressions, with what to write instead."""
    parts = (line.rsplit(' => ', 1) for line in lines(RULES))
    return [(re.compile(pattern, re.I), advice) for pattern, advice in parts]


def texts():
    """The lines of prose of each page and each Swift file, with their numbers."""
    for path in pages.tracked('.md'):
        if path != 'docs/internals/style-guide.md' and not path.startswith('CHANGELOG'):
            yield path, pages.split(pages.read(path))[0]
    for path in pages.tracked('.swift'):
        if path.startswith(('Sources/', 'Benchmarks/', 'Tests/', 'Tools/')):
            yield path, [(number, line.strip()) for number, line in enumerate(pages.read(path).split('\n'), 1) if line.strip().startswith('//')]


# A public initializer behind the modifiers and attributes that may stand in front of it.
INITIALIZER = re.compile(r'\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:convenience|required|override|nonisolated)\s+)*(?:public|open)\s+(?:(?:convenience|required|override|nonisolated)\s+)*init[?!]?[<(]')


def initializers(lines):
    """Public initializers of a Swift file whose comment does not begin with "Creates", as the number of the line and the line."""
    first = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith('///'):
            first = first or (number, text[3:].strip())
        elif not re.fullmatch(r'@\w+(\([^)]*\))?', text):
            if first and INITIALIZER.match(line) and not first[1].startswith(('Creates ', '- ')):
                yield first
            first = None


def matches(prose, patterns):
    """What lines have of the patterns, as the number of the line, the words, and what to write instead."""
    for number, line in prose:
        text = NOISE.sub(' ', line)
        for pattern, advice in patterns:
            if match := pattern.search(text):
                yield number, match[0], advice


def check():
    """What pages and comments have, as lines for a terminal, and how many files were read."""
    patterns, files = rules(), list(texts())
    faults = [f'{path}:{number}: "{found}": {advice}' for path, prose in files for number, found, advice in matches(prose, patterns)]
    for path in pages.tracked('.swift'):
        if path.startswith('Sources/'):
            faults += [f'{path}:{number}: "{text}": Creates …' for number, text in initializers(pages.read(path).split('\n'))]
    return faults, len(files)
