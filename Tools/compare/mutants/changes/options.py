"""Changes of operator options."""
import numpy as np

from ..model_file import operator_name

ACTIVATIONS = (0, 1, 2, 3)
# Fields for types and subgraphs, which are determined by the model.
FOLLOWING = ('type', 'subgraph', 'index', 'dimensionnumbers', 'name', 'container', 'attributes')
TWO_VALUES = ('padding', 'mode')


def option(mutant):
    fields = [(operator, field) for operator in mutant.graph.operators for options in options_of(operator) for field in vars(options) if can_change(options, field)]
    if not fields:
        return None
    operator, field = fields[mutant.random.choice(len(fields))]
    options = next(o for o in options_of(operator) if field in vars(o))
    old = getattr(options, field)
    new = other(mutant.random, field, old)
    if new is None or np.array_equal(new, old):
        return None
    setattr(options, field, new)
    raise_version(mutant, operator)
    return '%s of %s: %s to %s' % (field, operator_name(mutant.model, operator), plain(old), plain(new))


def options_of(operator):
    return [options for options in (operator.builtinOptions, operator.builtinOptions2) if options is not None]


def can_change(options, field):
    value = getattr(options, field)
    is_following = any(word in field.lower() for word in FOLLOWING)
    return not is_following and isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating, np.ndarray))


def other(random, field, old):
    if field == 'fusedActivationFunction':
        return int(random.choice(ACTIVATIONS))
    if field in TWO_VALUES and not isinstance(old, np.ndarray):
        return 1 - int(old)
    if isinstance(old, (bool, np.bool_)):
        return not old
    if isinstance(old, (float, np.floating)):
        return float(np.float32(random.choice([old * 2, old / 2, old * random.uniform(0.3, 3), -old, old + 1])))
    if isinstance(old, np.ndarray):
        if old.size == 0 or old.dtype.kind not in 'iu':
            return None
        new = old.copy()
        new[random.integers(old.size)] += random.choice([-1, 1])
        return new
    return max(0, int(old) + int(random.choice([-1, 1, 1, 2])))


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray) else value


def raise_version(mutant, operator):
    """A changed option can require a newer version of the operator: the newest one in the golden models."""
    code = mutant.model.operatorCodes[operator.opcodeIndex]
    code.version = max(code.version, mutant.versions.get(operator_name(mutant.model, operator), 1))
