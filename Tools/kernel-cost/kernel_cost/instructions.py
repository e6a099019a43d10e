"""The properties of single instructions: the number of products, conversions, and spills, and the micro-operations of some."""
import re

WIDTHS = {'x': 4, 'y': 8, 'z': 16}


def mnemonic(text):
    return text.split(' ', 1)[0]


def operands(text):
    """Returns the operands, split at commas outside of brackets and braces."""
    _, _, rest = text.partition(' ')
    return [part.strip() for part in re.split(r',(?![^\[({]*[\])}])', rest)] if rest else []


def arm_lanes(text):
    """Returns the lanes of the first vector operand, or 1 if there is none."""
    match = re.search(r'\bv\d+\.(\d+)[bhsd]\b', text)
    return int(match[1]) if match else 1


def x86_lanes(text):
    """Returns the number of 32-bit lanes of the largest register."""
    return max((WIDTHS[kind] for kind in re.findall(r'%([xyz])mm', text)), default=0)


def products(text):
    """Returns the number of multiply-accumulates of an instruction; a multiplication whose result other instructions add up counts as well."""
    name = mnemonic(text)
    if name.startswith('v'):
        lanes = x86_lanes(text)
        if re.match(r'vfn?m(add|sub)\d+ps$', name):
            return lanes
        if re.match(r'vpdp[bw]\w*d$', name):
            return lanes * (4 if name[4] == 'b' else 2)
        if name in ('vpmaddwd', 'vdpbf16ps'):
            return lanes * 2
        return lanes if name == 'vpmulld' else 0
    if name in ('smmla', 'ummla', 'usmmla'):
        return 32
    if name == 'bfmmla':
        return 16
    lanes = arm_lanes(text)
    if name in ('sdot', 'udot', 'usdot', 'sudot'):
        return lanes * 4
    if name == 'bfdot':
        return lanes * 2
    if name in ('mul', 'mla', 'mls'):
        return lanes if lanes > 1 else 0
    if re.match(r'(fmla|fmls|fmlal2?|bfmlal[bt]|[su]ml[as]l2?|[su]mull2?)$', name):
        return lanes if lanes > 1 else 0
    return 0


def multiplications(text):
    """Returns the number of float32 multiplications of an instruction, whether it adds to them or not."""
    return products(text) or (x86_lanes(text) if mnemonic(text) == 'vmulps' else 0)


def to_integer(text):
    """Returns the number of conversions from floating-point to integer."""
    name = mnemonic(text)
    if re.match(r'fcvt[nazmp][su]$', name):
        return arm_lanes(text)
    return x86_lanes(text) if re.match(r'vcvtt?ps2u?dq$', name) else 0


def to_float(text):
    """Returns the number of conversions from integer to floating-point."""
    name = mnemonic(text)
    if name in ('scvtf', 'ucvtf'):
        return arm_lanes(text)
    return x86_lanes(text) if re.match(r'vcvtu?dq2ps$', name) else 0


def spills(text):
    """Returns whether a vector is spilled to the stack."""
    return re.match(r'(str|stur|stp) q\d.*\[sp', text) is not None or re.match(r'vmov\w+ %[xyz]mm\d+, -?\w*\(%rsp', text) is not None


def loads(text):
    """Returns the number of vectors loaded from memory."""
    if match := re.match(r'ld\w* (.*)\[', text):
        return len(re.findall(r'\b[qv]\d+', match[1]))
    return int('mm' in text and re.search(r'\(.*\).*,', text) is not None)


def copies(text):
    """Returns whether a vector is copied to another register."""
    return re.match(r'mov v\d+\.16b, v\d+\.16b$', text) is not None or re.match(r'vmov[adu]\w+ %[xyz]mm\d+, %[xyz]mm\d+$', text) is not None


def independent(texts):
    """Returns the multiplications of a loop with registers instead of memory, all of them independent: the time of the multipliers alone."""
    multiplications = [text for text in texts if products(text)]
    # Repeated until results rotate over all registers, so that the last ones do not wait for the first ones.
    repeated = multiplications * -(-48 // len(multiplications)) if multiplications else []
    return [with_own_registers(text, number) for number, text in enumerate(repeated)]


def with_own_registers(text, turn):
    """Returns an instruction that reads registers which no instruction writes."""
    if not text.startswith('v'):
        result = turn % 24
        numbers = iter([result if result < 8 else result + 8, 8, 9, 10])
        return re.sub(r'\bv\d+\.', lambda match: f'v{next(numbers)}.', text)
    width = next(kind for kind in 'zyx' if f'%{kind}mm' in text)
    total, sources = 32 if width == 'z' else 16, len(operands(text)) - 1
    names = [f'%{width}mm{total - 1 - number}' for number in range(sources)] + [f'%{width}mm{turn % (total - 3)}']
    return f'{mnemonic(text)} {", ".join(names)}'


def parts(texts):
    """Returns the same work with a load that also updates its pointer, or fills one lane of a register, written as its two or three steps."""
    used = {int(number) for text in texts for number in re.findall(r'\b[vqdsb](\d+)\b', text)}
    free = next((number for number in range(31, -1, -1) if number not in used), None)
    result = []
    for text in texts:
        moved = re.match(r'((?:ld|st)\w* .*)\[(x\d+)\], #?(-?\w+)$', text)
        before = re.match(r'((?:ld|st)\w* .*)\[(x\d+), #(-?\w+)\]!$', text)
        if moved:
            result += filled_lanes(f'{moved[1]}[{moved[2]}]', free) + [moved_pointer(moved[2], moved[3])]
        elif before:
            result += [moved_pointer(before[2], before[3]), f'{before[1]}[{before[2]}]']
        else:
            result += filled_lanes(text, free)
    return result


def moved_pointer(pointer, step):
    return f'sub {pointer}, {pointer}, #{step[1:]}' if step.startswith('-') else f'add {pointer}, {pointer}, {step if step.startswith("x") else "#" + step}'


def filled_lanes(text, free):
    match = re.match(r'ld([12]) \{ ?(v\d+)\.([sd])(?:, (v\d+)\.[sd])? ?\}\[(\d)\], (\[.*)$', text)
    if not match or free is None:
        return [text]
    count, first, size, second, lane, address = match.groups()
    register = {'s1': 's', 'd1': 'd', 's2': 'd', 'd2': 'q'}[size + count]
    targets = [first] + ([second] if second else [])
    return [f'ldr {register}{free}, {address}'] + [f'mov {target}.{size}[{lane}], v{free}.{size}[{number}]' for number, target in enumerate(targets)]
