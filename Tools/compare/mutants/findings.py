"""The results of a mutant on both sides, and whether they differ."""
import re

from .facts import facts_of
from .model_file import type_name
from .reference import ENDED, RAN

# Operators whose floats are identical to the reference's in bit-exact numerics.
EXACT_FLOATS = ('RESIZE_BILINEAR',)
# SUM of these types has a reference kernel that scales by an uninitialized multiplier.
SIGNED_CODES = ('int8', 'int16')
EQUAL, DIFFERS = 'equal', 'differs'
WE_REFUSE, WE_RUN, WE_END = 'only the reference runs it', 'only Swiftlet runs it', 'crashes Swiftlet'
BOTH_REFUSE = 'neither runs it'


class Finding:
    """The result of one mutant in one of Swiftlet's numeric modes."""

    def __init__(self, mutant, numerics, answers, reports):
        self.number, self.model, self.operator = mutant.number, mutant.entry['model'], mutant.entry['operator']
        self.numerics, self.notes = numerics, mutant.notes
        self.types = sorted({type_name(t) for t in mutant.graph.tensors})
        self.answers = {mode: answer.kind for mode, answer in answers.items()}
        self.reference = reference_mode(mutant, answers)
        self.reason = '' if self.reference else next(answer.reason for answer in answers.values() if answer.reason)
        self.ended = sorted(mode for mode, answer in answers.items() if answer.kind == ENDED)
        self.reports = reports
        self.facts = facts_of(mutant, [array for step in answers[self.reference].steps for _, array, _ in step[1]] if self.reference else None)
        self.kind = self.judge()
        self.cause = None

    def judge(self):
        if any(cases is None for cases in self.reports.values()):
            return WE_END
        if self.reference is None:
            # Such an entry names no outputs, so having some is not an error here.
            cases = self.reports.get('none') or self.reports['xnnpack']
            return WE_RUN if all('expected 0' in (case.get('error') or 'expected 0') for case in cases) else BOTH_REFUSE
        if self.our_refusal:
            return WE_REFUSE
        return EQUAL if self.agrees(self.reference) else DIFFERS

    def agrees(self, mode):
        """Returns whether Swiftlet's outputs equal those of one of LiteRT's resolvers, within the tolerance of this operator."""
        if mode not in self.reports:
            return False
        is_exact = self.numerics == 'bit-exact' and self.operator in EXACT_FLOATS
        return all(case['ok'] and (not is_exact or all(output['max_abs_error'] == 0 for output in case['outputs'])) for case in self.reports[mode])

    @property
    def our_refusal(self):
        cases = self.reports.get(self.reference or 'none') or []
        return next((case['error'] for case in cases if case.get('error')), None)

    @property
    def equals(self):
        """Returns the resolvers that Swiftlet agrees with."""
        return [mode for mode in ('builtin_ref', 'builtin', 'xnnpack') if self.agrees(mode)]

    @property
    def steps(self):
        """Returns the largest difference from the reference in quantization steps, or None for floats."""
        found = [output['max_step_error'] for output in self.outputs if output['max_step_error'] is not None]
        return max(found) if found else None

    @property
    def error(self):
        return max((output['max_abs_error'] for output in self.outputs if output['max_abs_error'] is not None), default=None)

    @property
    def outputs(self):
        return [output for case in self.reports.get(self.reference or '', []) for output in case['outputs'] if not output['ok'] or output['max_abs_error']]

    @property
    def has_equal_floats(self):
        """Returns whether floats are identical to the reference's, or None if there are none."""
        floats = [output for case in self.reports.get(self.reference or '') or [] for output in case['outputs']
                  if output['mismatch_share'] is None and output['max_abs_error'] is not None]
        return all(output['max_abs_error'] == 0 for output in floats) if floats else None

    @property
    def text(self):
        """Returns a description in one line."""
        if self.kind == WE_REFUSE:
            return self.our_refusal
        if self.kind == DIFFERS:
            failure = next((output['error'] for output in self.outputs if output.get('error')), None)
            return '%s; equals %s' % (failure or ('off by %s steps' % self.steps if self.steps is not None else 'off by %s' % self.error),
                                      ', '.join(self.equals) or 'none of LiteRT\'s')
        return self.reason

    @property
    def signature(self):
        """Returns the common properties of the findings of one class."""
        return (self.operator, self.kind, re.sub(r'[-\d.]+(e-?\d+)?', 'N', self.text)[:110])


def reference_mode(mutant, answers):
    """Returns the resolver whose results Swiftlet must reproduce: the reference kernels, or the default ones if these are wrong or missing."""
    # XNNPACK alone is not sufficient: it accepts 16-bit floats that no kernel accepts.
    is_wrong = mutant.entry.get('reference') is not None
    if mutant.entry['operator'] == 'SUM':
        is_wrong = type_name(mutant.inputs[0]) in SIGNED_CODES
    ranking = ('builtin', 'builtin_ref') if is_wrong else ('builtin_ref', 'builtin')
    return next((mode for mode in ranking if answers[mode].kind == RAN), None)


def findings_of(mutants, answers, verified):
    """Returns the findings of mutants, from the reports of all their entries."""
    for mutant, given in zip(mutants, answers):
        for numerics, reports in verified.items():
            mine = {mode: reports['%05d %s' % (mutant.number, mode)] for mode in (*given, 'none') if '%05d %s' % (mutant.number, mode) in reports}
            yield Finding(mutant, numerics, given, mine)
