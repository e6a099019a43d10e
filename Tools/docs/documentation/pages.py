"""The pages of the repository, split into prose and code."""
import os
import re
import subprocess

from . import package

FENCE = re.compile(r'^( *)(```+|~~~+)(.*)$')


def tracked(*endings):
    """Returns the files of the repository whose names have these endings, sorted: tracked and new files, but no ignored ones."""
    done = subprocess.run(
        ['git', 'ls-files', '--cached', '--others', '--exclude-standard'], cwd=package.ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    names = done.stdout.split('\n') if done.returncode == 0 else walked()
    return sorted(name for name in set(names) if name.endswith(endings) and os.path.isfile(os.path.join(package.ROOT, name)))


def walked():
    """Returns the same without git: a source archive has no history."""
    for folder, folders, names in os.walk(package.ROOT):
        folders[:] = [name for name in folders if name not in ('.build', '.git')]
        yield from (os.path.relpath(os.path.join(folder, name), package.ROOT) for name in names)


def read(path):
    with open(os.path.join(package.ROOT, path), encoding='utf-8') as file:
        return file.read()


def split(text):
    """Returns a page's lines outside of code blocks, with line numbers from 1, and its blocks as language, number of the first line, and lines."""
    prose, blocks, inside = [], [], None
    for number, line in enumerate(text.split('\n'), 1):
        fence = FENCE.match(line)
        if inside is None and fence:
            inside = fence[2]
            blocks.append((fence[3].strip(), number + 1, []))
        elif inside is not None and fence and fence[2].startswith(inside) and not fence[3].strip():
            inside = None
        elif inside is not None:
            blocks[-1][2].append(line)
        else:
            prose.append((number, line))
    return prose, blocks


def comments(text):
    """Returns the lines of the documentation comments of a Swift file, with line numbers from 1, as one page."""
    found = []
    for number, line in enumerate(text.split('\n'), 1):
        stripped = line.strip()
        if stripped.startswith('///'):
            found.append((number, stripped[3:].removeprefix(' ')))
    return found


def comment_prose(text):
    """Returns the same lines without code blocks."""
    lines = comments(text)
    prose, _ = split('\n'.join(line for _, line in lines))
    return [(lines[number - 1][0], line) for number, line in prose if lines]
