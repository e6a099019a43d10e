"""The CPUs with a scheduling model of their own in llvm-mca, and their cost of a loop."""
import functools
import glob
import os
import re
import shutil
import subprocess

from . import instructions

TURNS = 200


class Processor:
    """A column of the tables: the name of a model, the prefix of its resources, and its description."""

    def __init__(self, name, prefix, stands_for, levels, also=()):
        self.name, self.prefix, self.stands_for, self.levels = name, prefix, stands_for, levels
        # Names of the same model with more instructions, by level.
        self.also = dict(also)

    def cpu(self, level):
        return self.also.get(level, self.name)


ARM_OLD, ARM_DOT, ARM_NEW = ('neon',), ('neon', 'dotprod', 'fp16'), ('neon', 'dotprod', 'fp16', 'i8mm', 'bf16')
PROCESSORS = {
    'aarch64': [
        Processor('cortex-a55', 'CortexA55', 'Cortex-A55', ARM_DOT),
        Processor('cortex-a72', 'A57', 'Cortex-A57, A72, A73 (with the model of the Cortex-A57)', ARM_OLD),
        Processor('neoverse-n1', 'N1', 'Neoverse N1; Cortex-A76, A77, and A78, for which LLVM has no separate models', ARM_DOT),
        Processor('neoverse-n2', 'N2', 'Neoverse N2; Cortex-A710, A715, A720', ARM_NEW),
        Processor('neoverse-v1', 'V1', 'Neoverse V1 (AWS Graviton3); Cortex-X1', ARM_NEW),
        Processor('neoverse-v2', 'V2', 'Neoverse V2 (AWS Graviton4, NVIDIA Grace); Cortex-X2, X3', ARM_NEW),
        Processor('apple-m1', 'Cy', "Apple's cores, with the model of the 2013 Cyclone, the only one in LLVM: a rough indication", ARM_NEW,
                  {'i8mm': 'apple-m2', 'bf16': 'apple-m2'}),
    ],
    'x86_64': [
        Processor('haswell', 'HW', 'Haswell, Broadwell', ('avx2',)),
        Processor('skylake', 'SKL', 'Skylake and its successors without AVX-512', ('avx2',)),
        Processor('alderlake', 'ADLP', 'Alder Lake, Raptor Lake', ('avx2', 'avxvnni')),
        Processor('znver3', 'Zn3', 'Zen 3', ('avx2',)),
        Processor('icelake-server', 'ICX', 'Ice Lake', ('avx512',)),
        Processor('sapphirerapids', 'SPR', 'Sapphire Rapids, Emerald Rapids', ('avx512', 'avx512bf16', 'avxvnni')),
        Processor('znver4', 'Zn4', 'Zen 4; Zen 5, for which LLVM has no separate model', ('avx512', 'avx512bf16')),
    ],
}
# The extensions that a level can use, for names of models that lack them.
FEATURES = {'dotprod': '+dotprod', 'i8mm': '+dotprod,+i8mm', 'bf16': '+bf16', 'fp16': '+fullfp16', 'avxvnni': '+avxvnni',
            'avx512bf16': '+avx512bf16'}


def find(name, folder=None):
    """Returns an LLVM program, from a directory, or the newest on the path. Nil if there is none."""
    if folder:
        path = os.path.join(folder, name)
        return path if os.access(path, os.X_OK) else None
    numbered = [path for place in os.environ.get('PATH', '').split(os.pathsep) for path in glob.glob(os.path.join(place, name + '-*'))
                if re.search(r'-\d+$', path)]
    numbered.sort(key=lambda path: -int(path.rsplit('-', 1)[1]))
    return numbered[0] if numbered else shutil.which(name)


class Analyzer:
    """llvm-mca for one architecture."""

    def __init__(self, program, architecture):
        self.program, self.architecture = program, architecture
        self.problems = []

    @functools.cached_property
    def version(self):
        output = subprocess.run([self.program, '--version'], check=True, capture_output=True, text=True).stdout
        return re.search(r'LLVM version (\S+)', output)[1]

    def processors(self, level):
        """Returns the columns for a level. A model that is only an alias of another one in LLVM is omitted."""
        return [processor for processor in PROCESSORS[self.architecture] if level in processor.levels and self.has(processor)]

    @functools.cache
    def has(self, processor):
        output = self.output(['fmla v0.4s, v1.4s, v2.4s' if self.architecture == 'aarch64' else 'vaddps %ymm0, %ymm1, %ymm2'], processor.name, 1, None)
        first = re.search(r'^\[0(?:\.0)?\]\s+- (\w+)', output or '', re.MULTILINE)
        return first is not None and re.match(processor.prefix + r'(?![0-9])', first[1]) is not None

    @functools.cache
    def cycles(self, processor, level, texts):
        """Returns the cycles per iteration of the repeated loop, with loads from the first-level cache. Nil if the model lacks an instruction."""
        spelled = tuple(instructions.parts(texts)) if self.architecture == 'aarch64' else texts
        # In some models, a pointer that a load updates, or a register that it fills partly, waits for the memory.
        times = [self.measured(processor, level, each) for each in {texts, spelled}]
        return min((time for time in times if time is not None), default=None)

    def measured(self, processor, level, texts):
        output = self.output(texts, processor.cpu(level), TURNS, FEATURES.get(level))
        found = re.search(r'^Total Cycles:\s+(\d+)', output or '', re.MULTILINE)
        return int(found[1]) / TURNS if found else None

    def peak(self, processor, level, texts):
        """Returns the cycles that the multiplications of a loop take alone."""
        lines = instructions.independent(texts)
        if not lines:
            return None
        time = self.measured(processor, level, tuple(lines))
        return time * sum(instructions.products(text) > 0 for text in texts) / len(lines) if time is not None else None

    def output(self, texts, cpu, turns, features):
        command = [self.program, f'-mtriple={self.architecture}', f'-mcpu={cpu}', f'-iterations={turns}']
        if features:
            command.append(f'-mattr={features}')
        done = subprocess.run(command, input='\n'.join(texts) + '\n', capture_output=True, text=True)
        if done.returncode != 0:
            self.problems.append(f'{cpu}: {done.stderr.strip().splitlines()[0] if done.stderr.strip() else "failed"}')
            return None
        return done.stdout
