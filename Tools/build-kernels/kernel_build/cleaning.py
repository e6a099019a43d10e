"""Reduces the compiler's assembly to the kernels: functions named swiftlet_…, and the constants and jump tables that they use. Type metadata, autolink
entries, and whatever else a Swift module contains is dropped. Entry points get the level in their names, are hidden from dynamic symbol tables, and can
be dropped by the linker if unused.

Macros of SwiftletKernelSets/assembly.h stand for what ELF and Mach-O spell differently."""
import re

LABEL = re.compile(r'\bL\(((?:CPI|JTI)\w+)\)')


class Kernels:
    """The functions and constants of a level, as lines of assembly, in the compiler's order."""

    def __init__(self):
        self.functions, self.constants = {}, {}

    def constants_of(self, function):
        """Returns the labels of the constants and jump tables that a function uses, in order of first use."""
        return list(dict.fromkeys(name for line in self.functions[function] for name in LABEL.findall(line)))


def with_labels(line, is_page):
    """Returns the line with its labels as macros; `is_page` for the upper part of an address."""
    def label(match):
        name = f'L({match[2]})'
        return f'OFFSET({name})' if match[1] else f'PAGE({name})' if is_page else name
    return re.sub(r'(:lo12:)?\.L([A-Za-z0-9_]+)', label, line)


def portable(line):
    """Returns the line in the syntax of both assemblers, without spaces between operands."""
    line = with_labels(line, line.startswith('\tadrp\t')).replace(', ', ',')
    return line


def is_said_by_macros(line, level):
    """Returns whether a line says what the macros around a function say: its alignment, visibility, type, name, and size.

    Raises ValueError if the alignment is another one."""
    if line.startswith('\t.p2align'):
        if not re.match(rf'\t\.p2align\t{4 if level.is_for_x86 else 2}\b', line):
            raise ValueError(f'{level.level}: a function is aligned otherwise than in assembly.h: {line}')
        return True
    return line.startswith(('\t.globl\t', '\t.protected\t', '\t.hidden\t', '\t.type\t', 'swiftlet_'))


def clean(assembly, level):
    """Returns the kernels in the compiler's assembly."""
    comment = re.compile(r'(^|[ \t]+)#.*$' if level.is_for_x86 else r'(^|[ \t]+)//.*$')
    kernels = Kernels()
    function = lines = None
    section, alignment, holds_constants, is_head = '', None, False, False
    for line in assembly.splitlines():
        line = comment.sub('', line).rstrip(' \t')
        # Apple's assembler warns of an erratum of an early CPU with the other form.
        if line.endswith('.2d, #0000000000000000'):
            line = line.removesuffix('.2d, #0000000000000000') + '.16b, #0'
            if not line.startswith('\tmovi\t'):
                raise ValueError(f'{level.level}: not a zero: {line}')
        # Kernels call nothing, so nothing unwinds through them.
        if not line or line.startswith('\t.cfi_'):
            continue
        if match := re.match(r'[ \t]*\.(section|text|data|bss)\b', line):
            section = re.sub(r'^[ \t]*\.section[ \t]+', '', line.replace('"axR"', '"ax"'))
            found = re.search(r'\.text\.swiftlet_(\w+)', line)
            function, lines, alignment = found and found[1], None, None
            holds_constants = '.rodata' in line and '__swift' not in line
            if function:
                kernels.functions[function] = [f'\tKERNEL\tswiftlet_{level.name}_{function}']
                is_head = True
        elif function and is_head and is_said_by_macros(line, level):
            is_head = not line.startswith('swiftlet_')
        elif function and line.startswith('\t.size\t'):
            kernels.functions[function].append(f'\tKERNEL_END\tswiftlet_{level.name}_{function}')
            function = None
        elif function:
            # The end of a function has a label that its size refers to.
            if not line.startswith('.Lfunc_end'):
                kernels.functions[function].append(portable(line.replace('swiftlet_', f'swiftlet_{level.name}_')))
        elif holds_constants:
            if line.startswith('\t.p2align'):
                alignment, lines = line, None
            elif match := re.match(r'\.L((?:CPI|JTI)[0-9_]+):', line):
                lines = kernels.constants[match[1]] = [f'\tCONSTANTS({section})', *([alignment] if alignment else []), portable(line)]
            elif line[0] not in ' \t':
                lines = None
            elif lines is not None:
                lines.append(portable(line))
    return kernels
