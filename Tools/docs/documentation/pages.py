"""The pages of the repository: what is written for people, and what is code in it."""
import os
import re
import subprocess

from . import package

FENCE = re.compile(r'^( *)(```+|~~~+)(.*)$')


def tracked(*endings):
    """Files of the repository whose names end so, sorted: those that git knows and those that are new, but none that it ignores."""
    done = subprocess.run(
        ['git', 'ls-files', '--cached', '--others', '--exclude-standard'], cwd=package.ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    names = done.stdout.split('\n') if done.returncode == 0 else walked()
    return sorted(name for name in set(names) if name.endswith(endings) and os.path.isfile(os.path.join(package.ROOT, name)))


def walked():
    """The same where there is no git: a source archive has no history."""
    for folder, folders, names in os.walk(package.ROOT):
        folders[:] = [name for name in folders if name not in ('.build', '.git')]
        yield from (os.path.relpath(os.path.join(folder, name), package.ROOT) for name in names)


def read(path):
    with open(os.path.join(package.ROOT, path), encoding='utf-8') as file:
        return file.read()


def split(text):
    """A page's lines outside of blocks of code, with their numbers from 1; and its blocks as language, number of the first line, and lines."""
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
    """The lines of the documentation comments of a Swift file, with their numbers from 1, as one page."""
    found = []
    for number, line in enumerate(text.split('\n'), 1):
        stripped = line.strip()
        if stripped.startswith('///'):
            found.append((number, stripped[3:].removeprefix(' ')))
    return found


def comment_prose(text):
    """The same without blocks of code."""
    lines = comments(text)
    prose, _ = split('\n'.join(line for _, line in lines))
    return [(lines[number - 1][0], line) for number, line in prose if lines]
