"""Words: checks that no page or comment has a word that the style guide replaces, and that comments of public declarations begin as it requires."""
import os
import re

from . import package, pages

RULES = os.path.join('Tools', 'docs', 'words.txt')
# The page that contains the replaced words.
STYLE_GUIDE = 'docs/internals/style-guide.md'
CODE = ('Sources/', 'Benchmarks/', 'Tests/', 'Tools/')
# No product contains these: the assembly is generated from them.
KERNELS = 'Sources/Engine/SwiftletKernelSources/'
# Code, URLs, markup, quotations, and options.
NOISE = re.compile(r'``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^<>]*>|https?://\S+|\b[\w.-]+/[\w./-]+|--[\w-]+|"[^"]*"')


def rules():
    """Returns the regular expressions with their replacements."""
    lines = (line for line in pages.read(RULES).split('\n') if line and not line.startswith('#'))
    return [(re.compile(pattern, re.I), advice) for pattern, advice in (line.rsplit(' => ', 1) for line in lines)]


# The attributes between a comment and its declaration, and the modifiers of a public declaration.
ATTRIBUTE = re.compile(r'@\w+(\([^)]*\))?')
PUBLIC = re.compile(r'\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+(?:\([a-z]+\))?\s+)*?(?:public|open)\b(?P<rest>.*)')
INITIALIZER = re.compile(r'(?:\s+(?:convenience|required|override|nonisolated))*\s+init[?!]?[<(]')
CLAUSE = re.compile(r'(What|How|Where|Which|Something|That|Those|Of|Says)\b')


def first_lines(lines):
    """Returns first lines of comments of public declarations that the style guide forbids, as the line number, the line, and the replacement."""
    first = None
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if text.startswith('///'):
            first = first or (number, text[3:].strip())
        elif not ATTRIBUTE.fullmatch(text):
            if first and (found := PUBLIC.match(line)):
                if INITIALIZER.match(found['rest']) and not first[1].startswith(('Creates ', '- ')):
                    yield *first, 'Creates …'
                elif CLAUSE.match(first[1]):
                    yield *first, 'a noun phrase or a verb'
            first = None


def matches(prose, patterns):
    """Returns the matches of the patterns in lines, as the line number, the words, and the replacement."""
    for number, line in prose:
        text = NOISE.sub(' ', line)
        for pattern, advice in patterns:
            if match := pattern.search(text):
                yield number, match[0], advice


def check():
    """Returns the matches in pages and comments, as lines for a terminal, and the number of files."""
    patterns, faults, count = rules(), [], 0
    for path in pages.tracked('.md', '.swift'):
        if path.startswith(('CHANGELOG', STYLE_GUIDE)) or path.endswith('.swift') and not path.startswith(CODE):
            continue
        text, count = pages.read(path), count + 1
        if path.endswith('.md'):
            found = list(matches(pages.split(text)[0], patterns))
        else:
            lines = text.split('\n')
            found = list(matches(((number, line) for number, line in enumerate(lines, 1) if line.lstrip().startswith('//')), patterns))
            if path.startswith('Sources/') and not path.startswith(KERNELS):
                found += first_lines(lines)
        faults += [f'{path}:{number}: "{text}": {advice}' for number, text, advice in found]
    return faults, count
