"""Commands of Tools/compare: their output, which is kept, and the Markdown in it."""
import os
import re
import subprocess
import sys
import textwrap

from . import page

WIDTH = 100
CELLS = re.compile(r'(?<!\\)\|')


def command(name, options):
    """Returns the command of a page, for its origin."""
    return f'Tools/reports/run {name}' + (' --short' if options.short else '')


def tool(name):
    return os.path.join(page.ROOT, 'Tools', name)


def peers(options):
    """Returns the Python of the peers, which all of these pages need."""
    if not options.peers:
        raise SystemExit('error: this page requires --peers PYTHON; Tools/peers/set-up creates it')
    return options.peers


def versions(options, *packages):
    """Returns names and versions of Python packages of the peers."""
    program = 'import importlib.metadata, sys\nfor name in sys.argv[1:]: print(name, importlib.metadata.version(name))'
    try:
        return page.run(peers(options), '-c', program, *packages).splitlines()
    except subprocess.CalledProcessError:
        raise SystemExit(f'error: {options.peers} lacks one of {", ".join(packages)}; Tools/peers/set-up installs them') from None


def captured(options, file, words, compares=False, env=None):
    """Returns what a command prints, and keeps it in a file of the work folder. A command that compares ends with 1 if it finds a difference."""
    path = os.path.join(options.work, file)
    if not (options.reuse and os.path.exists(path)):
        os.makedirs(options.work, exist_ok=True)
        run(words, path + '.new', (0, 1) if compares else (0,), {**os.environ, **(env or {})})
        os.replace(path + '.new', path)
    with open(path, encoding='utf-8') as kept:
        return kept.read()


def run(words, path, codes, env):
    """Writes what a command prints to a file, and passes its errors on. An exception of a Python program also ends with 1, but is a failure."""
    is_broken = False
    with open(path, 'w', encoding='utf-8') as file:
        with subprocess.Popen(words, stdout=file, stderr=subprocess.PIPE, text=True, errors='replace', env=env) as process:
            for line in process.stderr:
                is_broken |= line.startswith('Traceback (most recent call last)')
                sys.stderr.write(line)
    if process.returncode not in codes or process.returncode and is_broken:
        os.remove(path)
        raise SystemExit(f'error: {" ".join(words)} ended with {process.returncode}')


class Table:
    def __init__(self, lines):
        self.head, _, *self.rows = [[cell.strip() for cell in CELLS.split(line.strip())[1:-1]] for line in lines]

    def column(self, name):
        """Returns the cells of the first column with a name."""
        index = self.head.index(name)
        return [row[index] for row in self.rows]

    @property
    def text(self):
        """Returns the Markdown table, without columns that are blank in all rows."""
        filled = [index for index in range(len(self.head)) if not self.rows or any(row[index] for row in self.rows)]
        return page.table([self.head[index] for index in filled], [[row[index] for index in filled] for row in self.rows])


def parts(text):
    """Returns the tables and the paragraphs of a Markdown text, in order."""
    found = []
    for block in re.split(r'\n\s*\n', text.strip()):
        lines = [line for line in block.splitlines() if line.strip()]
        start = next((i for i, line in enumerate(lines) if line.startswith('|')), len(lines))
        end = next((i for i in range(start, len(lines)) if not lines[i].startswith('|')), len(lines))
        found += ['\n'.join(lines[:start])] if start else []
        found += [Table(lines[start:end])] if end > start else []
        found += ['\n'.join(lines[end:])] if end < len(lines) else []
    return found


def tables(text):
    return [part for part in parts(text) if isinstance(part, Table)]


def wrapped(text):
    """Returns a paragraph in lines of the width of a page. Headings stay one line."""
    if text.startswith('#'):
        return text
    return textwrap.fill(' '.join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False)


def tidy(found):
    """Returns Markdown of tables and paragraphs, with wrapped lines and without blank columns."""
    return '\n\n'.join(part.text if isinstance(part, Table) else wrapped(part) for part in found)


def number(text):
    return int(text.replace(',', ''))


def grouped(count):
    """Returns a number with commas between thousands."""
    return f'{count:,}'
