"""The rows as text, and as a page."""
import re

from . import kernels, processors


def short(name):
    """Returns a function of XNNPACK by its shape and instruction set."""
    return re.sub(r'^.*ukernel_+', '', name).replace('__', ' ').replace('asm_aarch64_', '').replace('_', ' ')


def cycles(value):
    """Returns the cycles per thousand units of work."""
    value *= 1000
    return f'{value:.1f}' if value < 100 else f'{value:.0f}'


def cell(row, processor):
    if row is None or processor not in row.cells:
        return ''
    time, share = row.cells[processor]
    return cycles(time) + (f', {share * 100:.0f} %' if share is not None else '')


def lines(group, columns):
    """Returns a kernel's lines in the table: Swiftlet's, and the best of XNNPACK's for each CPU."""
    own = group.own
    loop = f'{len(own.texts)} for {own.work}'
    notes = [f'{count} {name}' for count, name in ((own.spills, 'spilled'), (own.copies, 'copied'), (own.loop.blocks - 1, 'branches inside')) if count]
    yield [f'{own.kind.title}', loop + (f' ({", ".join(notes)})' if notes else ''), f'{own.cost:.3f}'] + [cell(own, each.name) for each in columns]
    if group.peers:
        best = [group.best(each.name) for each in columns]
        names = list(dict.fromkeys(short(peer.function) for peer in best if peer)) or [short(peer.function) for peer in group.peers]
        least = min(peer.cost for peer in group.peers if not columns or peer in best)
        yield ['  XNNPACK: ' + '; '.join(names[:3]), '', f'{least:.3f}'] + [cell(peer, each.name) for peer, each in zip(best, columns)]


def by_level(groups, analyzers):
    """Returns each level with its columns and groups."""
    levels = {}
    for group in groups:
        levels.setdefault(group.own.level, []).append(group)
    for level, own in levels.items():
        yield level, analyzers[own[0].own.architecture].processors(level) if analyzers else [], own


def text(groups, analyzers, with_loops):
    result = []
    for level, columns, own in by_level(groups, analyzers):
        table = [[level, 'instructions', 'per unit'] + [each.name for each in columns]]
        table += [line for group in own for line in lines(group, columns)]
        widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
        widths[0] = min(widths[0], 48)
        for line in table:
            first = line[0] if len(line[0]) <= 48 else line[0][:47] + '…'
            result.append('  '.join([first.ljust(widths[0])] + [each.rjust(width) for each, width in zip(line[1:], widths[1:])]).rstrip())
        result.append('')
        for group in own if with_loops else []:
            result += [f'{group.own.function}, at {group.own.loop.address:#x}: {group.own.kind.title}'] + ['    ' + each for each in group.own.texts] + ['']
    result.append('Cycles are per 1000 units of work (multiply-accumulates, bytes, or values), followed by the share of the peak of the multiplications.')
    return '\n'.join(result)


def against_aims(groups):
    """Returns a table of the arm64 kernels with a target, compared with XNNPACK's."""
    columns = ('neoverse-n1', 'neoverse-v1')
    result = ['| Level | Kernel | Target | ' + ' | '.join(name + (' (XNNPACK)' if any(group.peers for group in groups) else '') for name in columns) + ' |', '|---|---|---|---|---|']
    for group in groups:
        own = group.own
        aims = kernels.AIMS.get(own.kind.key, {})
        aim = aims.get(own.level, aims.get(None))
        if own.architecture != 'aarch64' or aim is None:
            continue
        if own.kind.unit == 'MAC':
            peers = [group.best(name) for name in columns]
            shares = [(own.cells[name][1], peer and peer.cells[name][1]) if name in own.cells else None for name, peer in zip(columns, peers)]
            cells = ['–' if each is None else f'{each[0]:.0%}' + (f' ({each[1]:.0%})' if each[1] is not None else '') for each in shares]
            result.append(f'| {own.level} | {own.kind.title} | {aim:.0%} | ' + ' | '.join(each.replace('%', ' %') for each in cells) + ' |')
        else:
            result.append(f'| {own.level} | {own.kind.title} | {aim} instructions per {own.kind.unit} | {own.cost:.2f} | {own.cost:.2f} |')
    return [line.replace('%', ' %').replace('  %', ' %') for line in result]


XNNPACK = """- The XNNPACK row shows the best of its kernels of that level for each CPU, and *per unit* is the
  lowest value of these kernels. If XNNPACK has no kernel for a level, its kernels for the level
  below are used.
"""


def page(groups, analyzers, version, origin, peer_version):
    """Returns the page. Without XNNPACK, it says nothing about it."""
    has_peers = any(group.peers for group in groups)
    compared = f" XNNPACK's commit is {peer_version}." if peer_version else ''
    xnnpack = XNNPACK if has_peers else ''
    head = f"""# Kernel cost model

<!-- measured: origin -->
{origin}
<!-- end -->

`Tools/kernel-cost/kernel-cost --markdown` analyzed the checked-in assembly{f' with LLVM {version}' if version else ''}.{compared}

**Nothing on this page was timed.** No arm64 CPU was available. The numbers estimate the cost of the
innermost loops from LLVM's scheduling models, which describe the latency of each instruction and
the units of a CPU that can execute it. `Benchmarks/on-this-machine` times kernels and models on
your machine ([details](performance.md#on-your-machine)).

## Method
- The checked-in assembly is assembled and disassembled again. For each kernel, the tool selects the
  innermost loop with the most multiply-accumulates (MACs), which is the loop of the full tile. The
  code before and after it isn't counted, and neither is the code for the ends of rows and columns.
  A kernel's epilogue is the straight-line block with the most conversions.
- *Instructions* is the number of instructions per loop iteration, and the number of MACs, bytes, or
  values that they process. In parentheses are vectors that the loop spills to the stack or copies
  between registers. *Per unit* is the quotient of the two. If a product needs more instructions for
  its accumulation (`smull`, `vpmaddwd`), it counts as one MAC per lane, and these instructions are
  counted too.
- The columns with the names of CPUs show *cycles* per 1000 MACs, bytes, or values: `llvm-mca` with
  {processors.TURNS} consecutive iterations. It models the dependencies between instructions, their latency,
  the issue width, and the execution units.
- The percentage is the *share of the peak*: the time of the loop's multiplications alone, without
  dependencies, by the same model, divided by the cycles of the loop. Loops with different multiply
  instructions have different peaks, so compare their cycles instead. Int8 kernels of the level
  `i8mm` are always compared with the peak of `smmla`.
{xnnpack}
`llvm-mca` doesn't model caches and memory, branch prediction, the front end of the CPU, or its
frequency. Every load hits the L1 cache, and no load crosses a cache line. Its models have errors:

- In some models, the pointer that a load increments, or the register of which it fills one lane,
  waits for the memory, which isn't the case on real CPUs. The tool splits such instructions into
  parts, and uses the better of the two results.
- The pipes of the Cortex-A55 are 64 bits wide. Its model takes that into account for integer
  multiplications and dot products, but issues two 128-bit `fmla` per cycle. The shares of float32
  GEMMs can therefore be too high by a factor of two.
- Measurements exist for two CPUs. On Zen 4, the float32 and int8 GEMMs of `avx512` reach 99 % and
  98 % of the measured peak ([kernels](../internals/kernels.md#measured)), but 67 % and 80 % by its
  model. On an Emerald Rapids, they reach 96 % and 65 %. The model of Sapphire Rapids shows 99 % for
  both, because it has one `vpdpbusd` per cycle, while the CPU has two. The model of Ice Lake shows
  61 % for int8.
- In the N2, V1, and V2 models, `smmla` has the throughput of `sdot`, with twice the MACs.

| Column | CPUs |
|---|---|
"""
    used = []
    tables = []
    for level, columns, own in by_level(groups, analyzers):
        used += [each for each in columns if each not in used]
        tables.append(f'\n## {level}\n')
        tables.append('| Kernel | Instructions | Per unit | ' + ' | '.join(each.name for each in columns) + ' |')
        tables.append('|---|---|---|' + '---|' * len(columns))
        for group in own:
            for line in lines(group, columns):
                tables.append('| ' + ' | '.join(each or '–' for each in [line[0].replace('  XNNPACK', '*XNNPACK').replace(': ', ':* ', 1) if line[0].startswith('  ') else line[0]] + line[1:]) + ' |')
    aims = ['', '## Targets', '', "Shares of the peak." + (" In parentheses: XNNPACK's best kernel." if has_peers else ''), ''] + against_aims(groups)
    return head + '\n'.join([f'| {each.name} | {each.stands_for} |' for each in used] + aims + tables) + '\n'
