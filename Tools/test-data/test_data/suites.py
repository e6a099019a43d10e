"""The test suites that are skipped without a part of the test data, read from the conditions in Tests."""
import os
import re

from test_data import ROOT

CONDITION = re.compile(r'\.enabled\(\s*if: ((?:(?!\.enabled).)*?),\s*"\\\(TestData\.skipReason\)"\)', re.S)
DECLARATION = re.compile(r'^(?:package |final )*(?:struct|class|enum|extension) (\w+)', re.M)
NAMES = re.compile(r'"([^"]+)"')
# The requirements of conditions with a name of their own.
NAMED = {
    'TestData.isAvailable': ('models', 'images'),
    'GoldenTask.isAvailable': ('tasks', 'tasks/models', 'tasks/audio', 'tasks/sequences', 'images'),
    '!folder.isEmpty': ('hostile',),
}


def skipped():
    """Returns for every part the suites with tests that need it, as {part: {target: [suite]}}."""
    found = {}
    for path in sources():
        with open(path, encoding='utf-8') as file:
            text = file.read()
        for condition in CONDITION.finditer(text):
            for part in needed(condition.group(1), path):
                suites = found.setdefault(part, {}).setdefault(target_of(path), [])
                name = suite_of(text, condition.start())
                if name not in suites:
                    suites.append(name)
    return {part: {target: sorted(suites) for target, suites in sorted(targets.items())} for part, targets in found.items()}


def sources():
    paths = []
    for folder, _, names in os.walk(os.path.join(ROOT, 'Tests')):
        paths += [os.path.join(folder, name) for name in names if name.endswith('.swift')]
    return sorted(path for path in paths if os.path.join('Tests', 'Support') not in path)


def target_of(path):
    return next(name for name in os.path.relpath(path, ROOT).split(os.sep)[1:] if name.endswith('Tests'))


def suite_of(text, position):
    """Returns the suite whose attribute is at `position`, or that contains the test whose attribute is there."""
    start = max(text.rfind('@Suite(', 0, position), text.rfind('@Test(', 0, position))
    if text.startswith('@Suite(', start):
        return DECLARATION.search(text, position).group(1)
    return [match.group(1) for match in DECLARATION.finditer(text, 0, position)][-1]


def needed(condition, path):
    if condition in NAMED:
        return NAMED[condition]
    if not condition.startswith('TestData.has('):
        raise ValueError(f'{path}: the condition {condition} is not known to Tools/test-data/test_data/suites.py')
    return [part_of(name) for name in NAMES.findall(condition)]


def part_of(path):
    """Returns the part that contains a file or directory of the test data."""
    first, *rest = path.split('/')
    return f'{first}/{rest[0]}' if first == 'tasks' and rest and rest[0] in ('models', 'audio', 'sequences') else first
