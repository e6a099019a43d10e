"""The report of a campaign."""
import json
import textwrap
from collections import Counter

from comparison import report

from .findings import BOTH_REFUSE, DIFFERS, EQUAL, WE_END, WE_REFUSE, WE_RUN
from .ours import NUMERICS

KINDS = (EQUAL, DIFFERS, WE_REFUSE, WE_RUN, BOTH_REFUSE, WE_END)
EXAMPLES = 3


class Counts:
    """Returns the number of findings of every kind, cause, and class."""

    def __init__(self):
        self.kinds, self.causes, self.classes, self.operators = Counter(), Counter(), {}, {}
        self.numbers, self.crashes, self.floats, self.found, self.refusals = set(), Counter(), {}, [], {}

    def add(self, finding):
        self.numbers.add(finding.number)
        self.kinds[finding.numerics, finding.kind] += 1
        self.operators.setdefault(finding.operator, Counter())[finding.numerics, finding.kind] += 1
        if finding.numerics == NUMERICS[0]:
            for mode in finding.ended:
                self.crashes[mode] += 1
        if finding.has_equal_floats is not None:
            self.floats.setdefault(finding.operator, Counter())[finding.numerics, finding.has_equal_floats] += 1
        if finding.kind in (EQUAL, BOTH_REFUSE):
            return
        self.found.append(finding)
        if finding.cause and finding.kind in (WE_RUN, WE_REFUSE) and finding.numerics == NUMERICS[0]:
            self.refusals.setdefault((finding.operator, finding.kind, finding.cause.name), []).append(finding)
        if finding.cause:
            self.causes[finding.cause, finding.numerics] += 1
        else:
            self.classes.setdefault(finding.signature, []).append(finding)

    @property
    def is_explained(self):
        return not self.classes

    @property
    def line(self):
        return '%d differ, %d refused, %d unexplained' % (
            sum(self.kinds[n, DIFFERS] for n in NUMERICS), sum(self.kinds[n, WE_REFUSE] for n in NUMERICS), sum(map(len, self.classes.values())))


def print_report(counts, arguments):
    from importlib.metadata import version
    print('ai-edge-litert %s, seed %d, mutants %d to %d, %d in total. LiteRT\'s process crashed or timed out for %s.\n' % (
        version('ai-edge-litert'), arguments.seed, arguments.first, arguments.first + arguments.count - 1, len(counts.numbers),
        ', '.join('%d (%s)' % (n, mode) for mode, n in counts.crashes.items()) or 'none'))
    report.table(('Numerics', *(kind[0].upper() + kind[1:] for kind in KINDS)), [(n, *(counts.kinds[n, kind] for kind in KINDS)) for n in NUMERICS])
    if counts.causes:
        print('\nExplained differences:\n')
        names = sorted({cause for cause, _ in counts.causes}, key=lambda cause: cause.name)
        report.table(('Cause', *(n.capitalize() for n in NUMERICS), 'Explanation'), [(c.name, *(counts.causes[c, n] for n in NUMERICS), c.text) for c in names])
    if counts.refusals:
        print('\nMutants that only one side runs (included above):\n')
        report.table(('Operator', 'Result', 'Cause', 'Mutants', 'Example'),
                     [(*key, len(found), '%d: %s' % (found[0].number, textwrap.shorten(found[0].text, 160, placeholder=' …'))) for key, found in sorted(counts.refusals.items())])
    if counts.classes:
        print('\nUnexplained differences:\n')
        rows = sorted(counts.classes.items(), key=lambda item: (item[0][0], -len(item[1])))
        report.table(('Operator', 'Result', 'Detail', 'Mutants', 'Numerics', 'Examples'),
                     [(*key, len({f.number for f in found}), ', '.join(sorted({f.numerics for f in found}, reverse=True)),
                       '; '.join('%s %s: %s' % (f.number, f.model, ', '.join(f.notes)) for f in examples(found))) for key, found in rows])
    print('\nBit-exact float results, for operators with results that are not bit-exact:\n')
    report.table(('Operator', *('%s: all equal' % n.capitalize() for n in NUMERICS), *('%s: not all' % n.capitalize() for n in NUMERICS)),
                 [(name, *(row[n, equal] for equal in (True, False) for n in NUMERICS)) for name, row in sorted(counts.floats.items())
                  if any(row[n, False] for n in NUMERICS)])
    print('\nMutants per operator:\n')
    report.table(('Operator', 'Mutants', 'Run by the reference', *('Differ, ' + n for n in NUMERICS)),
                 [(name, row.total() // 2, sum(row[NUMERICS[0], kind] for kind in (EQUAL, DIFFERS, WE_REFUSE, WE_END)), *(row[n, DIFFERS] for n in NUMERICS))
                  for name, row in sorted(counts.operators.items())])


def examples(found):
    """Returns some of them, one per mutant."""
    return list({finding.number: finding for finding in found}.values())[:EXAMPLES]


def write_findings(counts, path):
    """Returns all differences, one per line."""
    with open(path, 'w') as file:
        for f in counts.found:
            file.write(json.dumps({
                'number': f.number, 'model': f.model, 'operator': f.operator, 'numerics': f.numerics, 'kind': f.kind, 'text': f.text, 'types': f.types,
                'equals': f.equals if f.kind == DIFFERS else [], 'steps': f.steps, 'unstable': f.is_unstable, 'answers': f.answers,
                'cause': f.cause.name if f.cause else None, 'facts': sorted(f.facts), 'notes': f.notes}) + '\n')
