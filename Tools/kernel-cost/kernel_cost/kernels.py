"""The loops that represent each kernel, in the checked-in assembly and in another library's objects."""
import os
import re

from . import disassembly, instructions


class Kind:
    """A row of the tables: an entry point, and the unit that its instructions are divided by."""

    def __init__(self, key, title, entry, unit='MAC', of=instructions.products, taps=None, straight=False, best=()):
        self.key, self.title, self.entry, self.unit, self.of = key, title, entry, unit, of
        # Levels whose peak is determined by an instruction that the loop need not contain.
        self.best = dict(best)
        # Windows of several sizes share an entry point; the number of multiplications distinguishes their loops.
        self.taps = taps
        # Work between loops: the block that contains most of it.
        self.straight = straight

    def work(self, texts):
        return sum(self.of(text) for text in texts)

    def fits(self, loop):
        count = sum(self.of(text) > 0 for text in loop.texts)
        # A loop that transposes the rows it multiplies belongs to the few columns that are left over, not to the whole tile.
        if self.entry.startswith('gemm') and any(text.startswith('vunpck') or text.startswith('vpunpck') for text in loop.texts):
            return False
        return count > 0 and (self.taps is None or (count % self.taps == 0 and count % 5 != 0))

    def loop(self, code):
        """Returns the branch-free loop with most work; among equals, the shortest one of a matrix product, and otherwise the one with the fewest loads. Both
        belong to the tile with several rows. Nil if the function has none."""
        graph = disassembly.Graph(code)
        loops = [loop for loop in (graph.blocks() if self.straight else graph.inner_loops()) if self.fits(loop)]
        if self.taps is not None and not loops:
            # A fully unrolled window, in a loop that contains others for the ends of rows; otherwise loops for windows of any size.
            loops = [loop for loop in graph.blocks() if self.fits(loop)] or [loop for loop in graph.inner_loops() if self.work(loop.texts)]
        simplest = min((loop.blocks for loop in loops), default=0)
        return max((loop for loop in loops if loop.blocks == simplest), key=self.order, default=None)

    def order(self, loop):
        loads, length = sum(map(instructions.loads, loop.texts)), len(loop.texts)
        return (self.work(loop.texts), -length, -loads) if self.entry.startswith('gemm') else (self.work(loop.texts), -loads, -length)


# The fastest instruction for int8 matrix multiplication.
BYTES = {'i8mm': 'smmla v0.4s, v1.16b, v2.16b'}
KINDS = [
    Kind('gemm-f32', 'float32 GEMM', 'gemm_f32'),
    Kind('gemm-bf16', 'bfloat16 GEMM', 'gemm_bf16'),
    Kind('gemm-int8', 'int8 GEMM, int8 output', 'gemm_u8_requantize', best=BYTES),
    Kind('gemm-int8-sums', 'int8 GEMM, int32 output', 'gemm_u8_accumulate', best=BYTES),
    Kind('gemm-int8-hybrid', 'int8 GEMM, float32 output', 'gemm_u8_dynamic_range', best=BYTES),
    Kind('depthwise-f32', 'float32 depthwise, 3×3', 'depthwise_f32', taps=3),
    Kind('depthwise-int8', 'int8 depthwise', 'depthwise_u8'),
    Kind('depthwise-int8-rows', 'int8 depthwise, with epilogue', 'depthwise_streams_u8'),
    Kind('requantize', 'int8 GEMM epilogue', 'gemm_u8_requantize', 'byte', instructions.to_float, straight=True),
    Kind('quantize', 'QUANTIZE', 'quantize_8', 'value', instructions.to_integer),
    Kind('dequantize', 'DEQUANTIZE', 'dequantize_8', 'value', instructions.to_float),
    Kind('mix', 'row interpolation', 'mix_rows_f32', 'value', instructions.multiplications),
]

# The targets for arm64 on Neoverse N1 and V1: a share of the peak, or instructions per unit of work, by kernel, and by level if it matters.
AIMS = {
    'gemm-f32': {None: 0.90}, 'gemm-int8': {'dotprod': 0.85, 'i8mm': 0.80}, 'depthwise-f32': {None: 0.60}, 'requantize': {None: 1.5},
}

# XNNPACK's equivalent functions at the same level. The part after `__` in their names is the instruction set.
PEERS = {
    ('gemm-f32', 'neon'): r'f32_gemm_minmax_ukernel_[4-8]x(8|16)__asm_aarch64_neonfma',
    ('gemm-int8', 'neon'): r'qs8_qc8w_gemm_minmax_fp32_ukernel_[2-8]x\d+(c8|c16)?__asm_aarch64_neon_mlal',
    ('gemm-int8', 'dotprod'): r'qs8_qc8w_gemm_minmax_fp32_ukernel_[4-8]x16(c4)?__asm_aarch64_neondot',
    ('gemm-int8', 'i8mm'): r'qs8_qc8w_gemm_minmax_fp32_ukernel_[4-8]x(8|16)c8__neoni8mm',
    ('depthwise-f32', 'neon'): r'f32_dwconv_minmax_ukernel_9p\d+c__(asm_aarch64_)?neonfma',
    ('depthwise-int8-rows', 'neon'): r'qs8_qc8w_dwconv_minmax_fp32_ukernel_9p\d+c__neonv8',
    ('quantize', 'neon'): r'f32_qs8_vcvt_ukernel__neonv8',
    ('dequantize', 'neon'): r'qs8_f32_vcvt_ukernel__neon',
    ('gemm-f32', 'avx2'): r'f32_gemm_minmax_ukernel_[4-8]x16__fma3_broadcast',
    ('gemm-f32', 'avx512'): r'f32_gemm_minmax_ukernel_\d+x(16|32)__avx512f_broadcast',
    ('gemm-int8', 'avx2'): r'qs8_qc8w_gemm_minmax_fp32_ukernel_[2-8]x8c8__avx2',
    ('gemm-int8', 'avx512'): r'qs8_qc8w_gemm_minmax_fp32_ukernel_\d+x16c[48]__avx512vnni',
    ('gemm-int8', 'avxvnni'): r'qs8_qc8w_gemm_minmax_fp32_ukernel_[4-8]x8c8__avxvnni',
    ('depthwise-f32', 'avx2'): r'f32_dwconv_minmax_ukernel_9p\d+c__fma3',
    ('depthwise-f32', 'avx512'): r'f32_dwconv_minmax_ukernel_9p\d+c__avx512f',
    ('depthwise-int8-rows', 'avx2'): r'qs8_qc8w_dwconv_minmax_fp32_ukernel_9p\d+c__avx2',
    ('depthwise-int8-rows', 'avx512'): r'qs8_qc8w_dwconv_minmax_fp32_ukernel_9p\d+c__avx512skx',
    ('quantize', 'avx2'): r'f32_qs8_vcvt_ukernel__avx2',
    ('quantize', 'avx512'): r'f32_qs8_vcvt_ukernel__avx512skx',
    ('dequantize', 'avx2'): r'qs8_f32_vcvt_ukernel__avx2',
    ('dequantize', 'avx512'): r'qs8_f32_vcvt_ukernel__avx512skx',
}
# A level without kernels of its own for something uses those of the level below.
BELOW = {'dotprod': 'neon', 'i8mm': 'dotprod', 'bf16': 'neon', 'fp16': 'neon', 'avxvnni': 'avx2'}


def peer_pattern(kind, level):
    while level:
        if (kind.key, level) in PEERS:
            return 'xnn_' + PEERS[kind.key, level]
        level = BELOW.get(level)
    return None


def levels(folder):
    """Returns the checked-in files with their level and architecture."""
    found = []
    for name in sorted(os.listdir(folder)):
        if match := re.fullmatch(r'kernels_(\w+)\.S', name):
            path = os.path.join(folder, name)
            with open(path) as file:
                head = file.read(4096)
            found.append((match[1], 'aarch64' if '__aarch64__' in head else 'x86_64', path))
    return found


def shared(folder):
    """Returns the functions that a level has from another one, with the names of both."""
    path = os.path.join(folder, 'levels.inc')
    if not os.path.exists(path):
        return {}
    with open(path) as file:
        return dict(re.findall(r'^#define (swiftlet_\w+) (swiftlet_\w+)$', file.read(), re.MULTILINE))


def objects(folder):
    """Returns the object files and archives in a directory."""
    return sorted(os.path.join(top, name) for top, _, names in os.walk(folder) for name in names if name.endswith(('.o', '.a')))
