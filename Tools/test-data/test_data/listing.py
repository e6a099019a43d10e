"""The available test data of a directory, as text, and the table of docs/internals/test-data.md."""
import os
import textwrap

from test_data import catalog, suites

COMMAND = 'Tools/test-data/test-data'
# The table in the page is between these lines.
START, END = '<!-- Tools/test-data/test-data list --markdown -->', '<!-- end -->'


def text(parts, data, details):
    """Returns lines for the terminal; with `details` also the missing files."""
    skipped = suites.skipped()
    lines = [f'test data in {data}']
    for part in parts:
        word, found, expected = part.state(data)
        count = f'{found} {part.unit}' if expected is None else f'{found} of {expected} {part.unit}'
        lines += ['', f'{part.name}: {word}, {count}']
        lines += field('from', part.source)
        lines += field('skipped without it', groups(part, skipped, '{}'))
        lines += field('made by', '; '.join(f'{COMMAND} {step}' for step in part.made_by) or 'nothing in the repository')
        if details:
            for path in part.expected(data) or []:
                if path not in part.found(data):
                    lines += ['  absent: ' + path + origin(path)]
    return '\n'.join(lines)


def field(name, value):
    return textwrap.wrap(f'{name}: {value}', 100, initial_indent='  ', subsequent_indent='    ', break_on_hyphens=False,
                         break_long_words=False)


def groups(part, skipped, form):
    """Returns the suites that are skipped without a part, by target; a part with the same suites as another one refers to that."""
    found = skipped.get(part.name, {})
    if part.name.startswith('tasks/') and found == skipped['tasks']:
        return 'as without ' + form.format('tasks')
    names = ['{}: {}'.format(form.format(target), ', '.join(form.format(name) for name in names))
             for target, names in found.items()]
    return '; '.join(names + ([part.note] if part.note else []))


def origin(path):
    file = catalog.by_path().get(path)
    if file is None:
        return ''
    if file.is_fetched:
        return ' from ' + file.url()
    return ', made from other files' if file.origin == catalog.MADE else ', not published'


def markdown(parts):
    """Returns the table's lines."""
    skipped = suites.skipped()
    lines = ['| Part | From | Skipped without it | Made by |', '|---|---|---|---|']
    for part in parts:
        steps = ', '.join(f'`{step}`' for step in part.made_by) or 'nothing in the repository'
        lines.append(f'| `{part.name}` | {part.source} | {groups(part, skipped, "`{}`")} | {steps} |')
    return lines


def faults(parts, data):
    """Returns the files that differ from files.tsv."""
    found = []
    for part in parts:
        for file in part.files():
            path = os.path.join(data, file.path)
            if os.path.exists(path):
                with open(path, 'rb') as content:
                    reason = file.fault(content.read())
                if reason:
                    found.append(f'{path}: {reason}')
    return found
