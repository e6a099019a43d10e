"""Tasks of the command line and of MediaPipe, on the same models and images."""
import re

from . import compared, page


def measure(options):
    words = [compared.peers(options), compared.tool('compare/tasks'), '--swiftlet', options.swiftlet, '--data', options.data]
    words += ['--images', 'face.jpg,cats_and_dogs.jpg'] if options.short else ['--rotations', '0,90,180,270']
    text = compared.captured(options, 'tasks.md', words, compares=True)
    return {'origin': page.origin(compared.command('comparison-tasks', options), *compared.versions(options, 'mediapipe')),
            'summary': summary(text), 'tables': compared.tidy(sections(text))}


def sections(text):
    """Returns the paragraphs and tables from the first section on."""
    found = compared.parts(text)
    return found[next(i for i, part in enumerate(found) if isinstance(part, str) and part.startswith('## ')):]


def summary(text):
    """Returns the inputs, and a row per section with the number of runs and the number of those that agree."""
    inputs = re.search(r'MediaPipe \S+, (\d+) images, rotations ([\d,]+)\.', text)
    rows, title = [], None
    for part in sections(text):
        if isinstance(part, str):
            title = part[3:].strip() if part.startswith('## ') else title
        elif 'Agreeing runs' in part.head:
            runs, agreeing = (sum(int(cell) for cell in part.column(name) if cell.isdigit()) for name in ('Runs', 'Agreeing runs'))
            rejected = [name for name, count in zip(part.column('Model'), part.column('Runs')) if not count.isdigit()]
            rows.append((f'[{title}](#{anchor(title)})', len(set(part.column('Model'))) - len(set(rejected)), runs, agreeing))
    runs, agreeing = (sum(row[index] for row in rows) for index in (2, 3))
    line = (f'{compared.grouped(agreeing)} of {compared.grouped(runs)} runs agree. Each of {inputs[1]} images runs in the rotations '
            f'{inputs[2].replace(",", ", ")} (degrees).')
    cells = [(*row[:2], *map(compared.grouped, row[2:])) for row in rows]
    return compared.wrapped(line) + '\n\n' + page.table(('Task', 'Models', 'Runs', 'Agreeing runs'), cells)


def anchor(title):
    return re.sub(r'[^\w\- ]', '', title.lower()).replace(' ', '-')
