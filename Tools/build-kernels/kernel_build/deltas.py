"""The difference between a level and its base: the functions that compile to other instructions or use other constants."""
import re

# The beginnings of the names of functions that use no instructions beyond the baseline.
SAME_ON_ALL = ('image_', 'signal_', 'pool_argmax_', 'unpool_')
# Those of them that a level without a base has its own of, and that levels with a base share with it.
SAME_AS_BASE = ('image_sample_row', 'image_mask_row')
LABEL = re.compile(r'\bL\((\w+)\)')


def normalized(kernels, function, level):
    """Returns the text of a function without what differs between levels or by its place in a file: the level's name and the numbers of labels. Contains
    the constants and jump tables that the function uses."""
    numbers = {}

    def number(match):
        return f'L({short(numbers.setdefault(match[1], len(numbers)))})'

    def text(lines):
        return LABEL.sub(number, '\n'.join(lines).replace(f'swiftlet_{level.name}_', 'swiftlet_'))

    parts = [text(kernels.functions[function])]
    parts += [text(kernels.constants[name]) for name in kernels.constants_of(function)]
    return '\n'.join(parts)


def owners(levels, built):
    """Returns, for each level, the level whose function each of its functions is: its own, that of a base with the same text, or for functions that are
    the same on all CPUs that of the architecture's first level without a base."""
    result = {}
    for level in order(levels):
        base = next((other for other in levels if other.level == level.base), None)
        first = next(other for other in levels if other.architecture == level.architecture and other.base is None)
        result[level.level] = {}
        for function in built[level.level].functions:
            if function.startswith(SAME_AS_BASE):
                result[level.level][function] = level.level if base is None else result[base.level][function]
                continue
            if function.startswith(SAME_ON_ALL):
                result[level.level][function] = first.level
                continue
            shared = base is not None and function in built[base.level].functions and normalized(
                built[level.level], function, level) == normalized(built[base.level], function, base)
            result[level.level][function] = result[base.level][function] if shared else level.level
    return result


def order(levels):
    """Returns the levels, bases first."""
    done = []
    while len(done) < len(levels):
        ready = [level for level in levels if level not in done and (level.base is None or any(other.level == level.base for other in done))]
        if not ready:
            raise ValueError('levels: a base is not in the list, or is its own base')
        done += ready
    return done


def lines(kernels, functions):
    """Returns the assembly of some functions with their constants. Labels are numbered, because their names would be a twentieth of the text."""
    result = [line for function in functions for line in kernels.functions[function]]
    names = {name for function in functions for name in kernels.constants_of(function)}
    result += [line for name, text in kernels.constants.items() if name in names for line in text]
    numbers = {}
    return [LABEL.sub(lambda match: f'L({short(numbers.setdefault(match[1], len(numbers)))})', line) for line in result]


def short(number):
    """Returns a number with digits and lowercase letters. The first is a digit, because labels of letters can be names of shifts or conditions."""
    digits = '0123456789abcdefghijklmnopqrstuvwxyz'
    return digits[number] if number < 10 else short((number - 10) // 36) + digits[(number - 10) % 36]


def aliases(level, owners_of_level, by_name):
    """Returns the macros that name the functions of other levels as those of this one."""
    return [f'#define swiftlet_{level.name}_{function} swiftlet_{by_name[owner].name}_{function}'
            for function, owner in sorted(owners_of_level.items()) if owner != level.level]
