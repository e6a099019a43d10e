"""The limits of the loops for `--check`."""
import json
import math
import sys


def described(groups, version):
    """Returns shares in full percent, rounded down, and instructions rounded up."""
    levels = {}
    for group in groups:
        row = group.own
        levels.setdefault(row.level, {})[row.kind.key] = {
            'instructions': math.ceil(row.cost * 1000 - 1e-6) / 1000,
            'spills': row.spills,
            'shares': {name: math.floor(share * 100 + 1e-6) for name, (_, share) in row.cells.items() if share is not None}}
    return {'llvm': version.split('.')[0] if version else None, 'levels': levels}


def write(path, groups, version):
    with open(path, 'w') as file:
        json.dump(described(groups, version), file, indent=1, sort_keys=True)
        file.write('\n')


def comparable(path, version):
    """Returns whether the recorded cycles are from this version of LLVM: its models differ between versions."""
    with open(path) as file:
        return version is not None and json.load(file)['llvm'] == version.split('.')[0]


# The growth of a figure from which a check warns, and from which it fails.
WARNING, FAILURE = 0.1, 0.25


def growth(now, before):
    """By which share of `before` the cost `now` is higher."""
    return now / before - 1 if before else float(now > 0)


def worse(path, groups, version):
    """The growth and a line for each figure that is worse than the stated one by more than `WARNING`, and for each stated kernel without a loop."""
    with open(path) as file:
        statement = json.load(file)
    now = described(groups, version)
    same = comparable(path, version)
    if not same:
        print(f"cycles not checked: shares.json is of LLVM {statement['llvm']}, here is {now['llvm'] or 'no llvm-mca'}", file=sys.stderr)
    for level, rows in now['levels'].items():
        for key, before in statement['levels'].get(level, {}).items():
            row = rows.get(key)
            if row is None:
                yield 1, f'{level} {key}: no loop is found any more'
                continue
            figures = [
                (growth(row['instructions'], before['instructions']),
                 f"{row['instructions']} instructions per unit of work, {before['instructions']} are stated"),
                (growth(row['spills'], before['spills']), f"{row['spills']} vectors are spilled to the stack, {before['spills']} are stated")]
            for name, share in before['shares'].items() if same else []:
                if name in row['shares']:
                    figures.append((growth(share, row['shares'][name]), f"{row['shares'][name]} % of the peak of {name}, {share} % are stated"))
            for more, text in figures:
                if more > WARNING:
                    yield more, f'{level} {key}: {text}'
