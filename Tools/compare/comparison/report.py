"""Runs a task's cases and prints its tables."""
import sys

# The maximum number of listed runs with differences per model and option.
LISTED = 5


def run(task, tool, images, rotations, all_rows):
    """Returns the number of runs with differences."""
    print('\n## %s\n\n%s\n' % (task.NAME.capitalize(), task.RULE))
    columns = ('Model', 'Option', 'Rotation', 'Image') + task.COLUMNS
    failed, notable = 0, []
    summary = []
    for name, path, option in task.cases():
        label = '' if option is None else str(option)
        try:
            peer = task.open(path, option)
        except Exception as error:
            summary.append((name, label, 'MediaPipe rejects it: ' + str(error).strip().splitlines()[0][:120]) + ('',) * (len(task.COLUMNS) + 1))
            continue
        rows, agreed, listed = [], 0, 0
        with peer:
            for rotation in rotations:
                documents = iter(task.ours(tool, path, [images.path(image) for image in images.names], rotation, option))
                for image in images.names:
                    agrees, values = task.compare(peer, images.load(image), next(documents), rotation, option)
                    rows.append((name, label, rotation, image) + values)
                    agreed += agrees
                    if all_rows or not agrees and listed < LISTED:
                        listed += 1
                        notable.append(rows[-1] + ('yes' if agrees else '**no**',))
                    progress(task.NAME, name, label, rotation, image, agrees)
        failed += len(rows) - agreed
        worst = tuple(extreme(choose, [row[4 + i] for row in rows]) for i, choose in enumerate(task.WORST))
        summary.append((name, label, str(len(rows)), str(agreed)) + worst)
    table(('Model', 'Option', 'Runs', 'Agreeing runs') + tuple(
        ('Worst ' + c[:1].lower() + c[1:] if w and not c.startswith(('Lowest', 'Largest')) else c) for c, w in zip(task.COLUMNS, task.WORST)), summary)
    if notable:
        print('\nAll runs:\n' if all_rows else '\nDisagreeing runs, up to %d per model and option:\n' % LISTED)
        table(columns + ('Agrees',), notable)
    return failed


def extreme(choose, values):
    numbers = [v for v in values if not isinstance(v, str)]
    if not numbers:
        return ''
    if choose is None:
        return '' if min(numbers) != max(numbers) else numbers[0]
    return choose(numbers)


def table(columns, rows):
    print('| ' + ' | '.join(columns) + ' |')
    print('|' + '---|' * len(columns))
    for row in rows:
        print('| ' + ' | '.join(cell(value) for value in row) + ' |')
    sys.stdout.flush()


def cell(value):
    if not isinstance(value, float):
        return str(value).replace('|', '/').replace('\n', ' ')
    return '%.6f' % value if abs(value) >= 0.01 or value == 0 else '%.1e' % value


def progress(*words):
    sys.stderr.write(' '.join(str(word) for word in words) + '\n')
