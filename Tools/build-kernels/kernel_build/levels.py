"""The list of levels."""
import os

FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KERNELS = 'Sources/Engine/SwiftletKernelSources'
# Sources that only arm64 compiles, for all kernels and for those of reduced precision.
ARM64_SOURCES = ['Vector/NEON', 'Gemm/RowFlip', 'Gemm/MatrixSums']
ARM64_ALL = [f'QuantizedGemm/{name}Accumulation' for name in ('Lane', 'Matrix', 'Widening')]
ARM64_REDUCED = ['Vector/NEON+BFloat16', 'Gemm/BFloat16Matrices', 'QuantizedGemm/QuantizedTile']


class Level:
    """An instruction set that kernels are compiled for."""

    def __init__(self, row):
        self.level, self.architecture, base, with_level, requires, flags = row
        self.base, self.with_level = base or None, with_level or None
        self.requires, self.flags = requires.split(), flags.split()

    @property
    def name(self):
        """The name in symbols, in reports, and in `SWIFTLET_ISA`."""
        return self.level.removesuffix('_' + self.architecture)

    @property
    def is_for_x86(self):
        return self.architecture == 'x86_64'

    @property
    def has_reduced_precision_only(self):
        return 'SWIFTLET_BFLOAT16' in self.flags

    def sources(self):
        """Returns the source files, relative to the package."""
        with open(os.path.join(FOLDER, 'bfloat16.list' if self.has_reduced_precision_only else 'sources.list')) as file:
            names = file.read().split()
        if self.is_for_x86:
            return names
        more = ARM64_SOURCES + (ARM64_REDUCED if self.has_reduced_precision_only else ARM64_ALL)
        return [name for name in names if '/AVX' not in name and '/Portable.' not in name and '/Portable+' not in name] + [
            f'{KERNELS}/{name}.swift' for name in more]


def read(path=os.path.join(FOLDER, 'levels')):
    """Returns the levels, from the least to the most preferred."""
    with open(path) as file:
        return [Level([cell.strip() for cell in line.split('|')]) for line in file if line.strip() and not line.startswith('#')]
