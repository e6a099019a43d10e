"""The rows of the tables: the cost of one library's loops on each CPU."""
import concurrent.futures
import os
import re
import tempfile

from . import disassembly, instructions, kernels


class Row:
    """One kernel of one level. `cells` has for each CPU the cycles per unit of work and the share of the multipliers' peak."""

    def __init__(self, level, architecture, kind, function, loop):
        self.level, self.architecture, self.kind, self.function, self.loop = level, architecture, kind, function, loop
        self.texts = tuple(disassembly.without_target(text) for text in loop.texts)
        self.work = kind.work(loop.texts)
        self.spills = sum(map(instructions.spills, loop.texts))
        self.copies = sum(map(instructions.copies, loop.texts))
        self.cells = {}

    @property
    def cost(self):
        """Returns the instructions per unit of work."""
        return len(self.texts) / self.work

    @property
    def multiplying(self):
        """Returns the instructions whose multiplications alone determine the peak."""
        best = self.kind.best.get(self.level)
        return (best,) * (self.work // instructions.products(best)) if best else self.texts

    def measure(self, analyzer, processor):
        cycles = analyzer.cycles(processor, self.level, self.texts)
        peak = analyzer.peak(processor, self.level, self.multiplying) if self.kind.unit == 'MAC' else None
        if cycles is not None:
            self.cells[processor.name] = (cycles / self.work, peak / cycles if peak is not None else None)

    def described(self):
        """Returns the row as plain values."""
        return {
            'level': self.level, 'kernel': self.kind.key, 'title': self.kind.title, 'unit': self.kind.unit, 'function': self.function,
            'address': self.loop.address, 'instructions': len(self.texts), 'blocks': self.loop.blocks, 'work': self.work,
            'instructions_per_unit': round(self.cost, 4), 'spills': self.spills, 'copies': self.copies,
            'processors': {name: {'cycles_per_unit': round(cycles, 5), 'share': round(share, 4) if share is not None else None}
                           for name, (cycles, share) in self.cells.items()}}


class Group:
    """A kernel of Swiftlet, with XNNPACK's equivalent kernels."""

    def __init__(self, own, peers):
        self.own, self.peers = own, peers

    def best(self, processor):
        """Returns the fastest of the peers on a CPU."""
        return min((peer for peer in self.peers if processor in peer.cells), key=lambda peer: peer.cells[processor][0], default=None)


def groups(folder, only, tools, analyzers, peer_folder=None):
    """Returns the rows of the checked-in assembly in `folder`, of all levels or of those in `only`, together with those of a peer's objects."""
    functions = {}
    for path in kernels.objects(peer_folder) if peer_folder else []:
        functions.update((name, code) for name, code in disassembly.disassemble(tools['objdump'], path).items() if name.startswith('xnn_'))
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        levels, code = kernels.levels(folder), {}
        for level, architecture, source in levels:
            built = os.path.join(scratch, f'{level}.o')
            disassembly.assemble(tools['clang'], architecture, source, built)
            code.update(disassembly.disassemble(tools['objdump'], built))
        for name, owner in kernels.shared(folder).items():
            if owner in code:
                code.setdefault(name, code[owner])
        for level, architecture, _ in levels:
            if only and level not in only:
                continue
            for kind in kernels.KINDS:
                name = f'swiftlet_{level}_{kind.entry}'
                loop = kind.loop(code[name]) if name in code else None
                if loop is not None:
                    found.append(Group(Row(level, architecture, kind, name, loop), peers(kind, level, architecture, functions)))
    measure(found, analyzers)
    return found


def peers(kind, level, architecture, functions):
    pattern = kernels.peer_pattern(kind, level)
    rows = []
    for name in sorted(functions) if pattern else []:
        if re.match(pattern, name) and (loop := kind.loop(functions[name])) is not None:
            rows.append(Row(level, architecture, kind, name, loop))
    return rows


def measure(found, analyzers):
    work = []
    for group in found:
        analyzer = analyzers.get(group.own.architecture)
        for processor in analyzer.processors(group.own.level) if analyzer else []:
            work += [(row, analyzer, processor) for row in [group.own] + group.peers]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(row.measure, analyzer, processor) for row, analyzer, processor in work]:
            done.result()
