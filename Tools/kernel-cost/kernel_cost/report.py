"""The rows as text, and as a page."""
import re
import subprocess

from . import kernels, processors


def commit(root):
    """Returns the commit of the displayed assembly, and whether it has been changed since."""
    def git(*arguments):
        return subprocess.run(['git', '-C', root, *arguments], capture_output=True, text=True).stdout.strip()
    folder = 'Sources/Engine/SwiftletKernelSets'
    return git('log', '-1', '--format=%h', '--', folder) + (' and changes to it' if git('status', '--porcelain', folder) else '')


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
        table = [[level, 'instructions', 'each'] + [each.name for each in columns]]
        table += [line for group in own for line in lines(group, columns)]
        widths = [max(len(line[column]) for line in table) for column in range(len(table[0]))]
        widths[0] = min(widths[0], 48)
        for line in table:
            first = line[0] if len(line[0]) <= 48 else line[0][:47] + '…'
            result.append('  '.join([first.ljust(widths[0])] + [each.rjust(width) for each, width in zip(line[1:], widths[1:])]).rstrip())
        result.append('')
        for group in own if with_loops else []:
            result += [f'{group.own.function}, at {group.own.loop.address:#x}: {group.own.kind.title}'] + ['    ' + each for each in group.own.texts] + ['']
    result.append('Cycles are for 1000 units of work (multiply-accumulates, bytes, values), then the share of what the multiplications alone would take.')
    return '\n'.join(result)


def against_aims(groups):
    """Returns a table of the arm64 kernels with a target, compared with XNNPACK's."""
    columns = ('neoverse-n1', 'neoverse-v1')
    result = ['| level | kernel | aim | ' + ' | '.join(f'{name} (XNNPACK)' for name in columns) + ' |', '|---|---|---|---|---|']
    for group in groups:
        own = group.own
        aims = kernels.AIMS.get(own.kind.key, {})
        aim = aims.get(own.level, aims.get(None))
        if own.architecture != 'aarch64' or aim is None:
            continue
        if own.kind.unit == 'MAC':
            peers = [group.best(name) for name in columns]
            shares = [(own.cells[name][1], peer and peer.cells[name][1]) if name in own.cells else None for name, peer in zip(columns, peers)]
            cells = ['' if each is None else f'{each[0]:.0%}' + (f' ({each[1]:.0%})' if each[1] is not None else '') for each in shares]
            result.append(f'| {own.level} | {own.kind.title} | {aim:.0%} | ' + ' | '.join(each.replace('%', ' %') for each in cells) + ' |')
        else:
            result.append(f'| {own.level} | {own.kind.title} | {aim} instructions a {own.kind.unit} | {own.cost:.2f} | {own.cost:.2f} |')
    return [line.replace('%', ' %').replace('  %', ' %') for line in result]


def page(groups, analyzers, version, commit, peer_version):
    head = f"""# What the inner loops cost

The assembly of commit {commit}, by `Tools/kernel-cost/kernel-cost --markdown`{f' with LLVM {version}' if version else ''}{f', compared with XNNPACK {peer_version}' if peer_version else ''}.

**Nothing on this page was timed.** No arm64 processor was at hand. The figures say what the instructions of the innermost loops cost by LLVM's tables of how long each one takes and
which units of a processor can do it. `Benchmarks/on-this-machine` times kernels and models on a machine that you have ([how](performance.md#on-your-machine)).

## How the figures are made
- The checked-in assembly is assembled and disassembled again. For every kernel the innermost loop with the most multiply-accumulates (MAC) is taken, which is that of the full
  tile: the code before and after it, and that of the ends of rows and columns, is not counted. A kernel's epilogue is the straight block with the most conversions.
- *instructions*: of one turn of the loop, and for how many MACs, bytes or values; vectors that the loop puts on the stack or copies from register to register. *each*: one by the other. A product
  that is added up by further instructions (`smull`, `vpmaddwd`) is one MAC for each lane, and the further instructions count as instructions.
- *cycles* for 1000 MACs, bytes or values: `llvm-mca`, {processors.TURNS} turns in a row. It knows how instructions depend on each other, how long each takes, how many a cycle are started, and on which unit.
- *share of the peak*: what the multiplications of the loop would take if there were nothing else and none waited for another, by the same model, divided by the cycles of the loop.
  Two loops that multiply by different instructions have different peaks: there the cycles tell more. Products of bytes at the level `i8mm` are held to `smmla`, whatever they multiply by.
- XNNPACK's line shows the best of its kernels of that level for each processor; *each* is the least of those. Where a level has no kernel of its own in XNNPACK, it takes those of the level below.

What `llvm-mca` does not know: caches and memory (every load is served by the first-level cache, and none is split over two lines), branch prediction, the front end of the
processor, frequency. Its tables have faults:

- Some let the pointer that a load moves along, or the register of which it fills one lane, wait for the memory, which processors do not. The tool writes such instructions in their
  parts, and takes the better of both.
- The pipes of the Cortex-A55 are 64 bits wide. Its table knows that of integer multiplications and of dot products, but starts two 128-bit `fmla` in a cycle: shares of float32 products can be twice as high there.
- Where there is a clock to compare with: on Zen 4, float32 and int8 products of `avx512` reach 99 % and 98 % of the measured peak ([kernels](../internals/kernels.md#measured)), 67 % and 80 % by its
  table. On an Emerald Rapids they reach 96 % and 65 %. The table of Sapphire Rapids says 99 % of both, as it has one `vpdpbusd` a cycle where the processor has two; that of Ice Lake says 61 % for int8.
- `smmla` by the models N2, V1 and V2 is as fast as `sdot`, at twice the products.

| column | stands for |
|---|---|
"""
    used = []
    tables = []
    for level, columns, own in by_level(groups, analyzers):
        used += [each for each in columns if each not in used]
        tables.append(f'\n## {level}\n')
        tables.append('| kernel | instructions | each | ' + ' | '.join(each.name for each in columns) + ' |')
        tables.append('|---|---|---|' + '---|' * len(columns))
        for group in own:
            for line in lines(group, columns):
                tables.append('| ' + ' | '.join([line[0].replace('  XNNPACK', '*XNNPACK').replace(': ', ':* ', 1) if line[0].startswith('  ') else line[0]] + line[1:]) + ' |')
    aims = ['', '## Against the aims', '', "Shares of the peak, in brackets those of XNNPACK's best kernel.", ''] + against_aims(groups)
    return head + '\n'.join([f'| {each.name} | {each.stands_for} |' for each in used] + aims + tables) + '\n'
