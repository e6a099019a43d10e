"""Machine code as text, split into basic blocks and loops."""
import collections
import re
import subprocess

Instruction = collections.namedtuple('Instruction', 'address text')


class Loop:
    """The blocks of a loop; `blocks` is their number, 1 for a loop without branches."""

    def __init__(self, instructions, blocks=1):
        self.instructions, self.blocks = instructions, blocks

    @property
    def address(self):
        return self.instructions[0].address

    @property
    def texts(self):
        return [instruction.text for instruction in self.instructions]


def assemble(clang, architecture, source, destination):
    subprocess.run([clang, f'--target={architecture}-linux-gnu', '-c', str(source), '-o', str(destination)], check=True)


def disassemble(objdump, path):
    """Returns the functions of an object file or archive, by name."""
    # Older versions only decode the arm64 extensions that they are given; for x86-64, these names have no effect.
    output = subprocess.run([objdump, '--disassemble', '--disassemble-zeroes', '--no-show-raw-insn', '--mattr=+dotprod,+i8mm,+bf16,+fullfp16', str(path)],
                            check=True, capture_output=True, text=True).stdout
    return parse(output)


def parse(output):
    functions, current = {}, None
    for line in output.splitlines():
        if match := re.match(r'[0-9a-f]+ <(.*)>:$', line):
            current = functions.setdefault(match[1], [])
        elif current is not None and (match := re.match(r'\s*([0-9a-f]+):\s+(\S.*)$', line)):
            text = re.sub(r'\s*(//|# ).*$', '', match[2]).replace('\t', ' ')
            current.append(Instruction(int(match[1], 16), re.sub(r' +', ' ', text).strip()))
    return functions


def jump_target(text):
    """Returns the target of a direct jump, and nil for everything else."""
    match = re.match(r'(?:b|b\.\w+|cbn?z|tbn?z|j\w+) (?:.*[ ,])?#?0x([0-9a-f]+)\b(?: <.*>)?$', text)
    return int(match[1], 16) if match else None


def ends_block(text):
    return jump_target(text) is not None or re.match(r'(ret|retq|br|b|jmp|jmpq|ud2|brk)\b', text) is not None


def falls_through(text):
    return re.match(r'(ret|retq|br|jmp|jmpq|ud2|brk)\b|b ', text) is None


def without_target(text):
    """Returns a jump in llvm-mca's form, which ignores the target."""
    if jump_target(text) is None:
        return text
    return re.sub(r'#?0x[0-9a-f]+(?: <.*>)?$', '#0' if re.match(r'b|cb|tb', text) else '0', text)


class Graph:
    """Returns the blocks of a function by their first instruction's index, with their successors."""

    def __init__(self, code):
        self.code = code
        index = {instruction.address: number for number, instruction in enumerate(code)}
        starts = {0}
        for number, instruction in enumerate(code):
            target = jump_target(instruction.text)
            if target in index:
                starts.add(index[target])
            if ends_block(instruction.text):
                starts.add(number + 1)
        starts = sorted(start for start in starts if start < len(code))
        self.ends = dict(zip(starts, starts[1:] + [len(code)]))
        self.after = {}
        for start, end in self.ends.items():
            last = code[end - 1].text
            self.after[start] = [index[jump_target(last)]] if jump_target(last) in index else []
            if falls_through(last) and end < len(code):
                self.after[start].append(end)

    def block(self, start):
        return self.code[start:self.ends[start]]

    def blocks(self):
        return [Loop(self.block(start)) for start in self.ends]

    def inner_loops(self):
        """Returns the innermost natural loops, by address."""
        before = collections.defaultdict(list)
        for start, following in self.after.items():
            for other in following:
                before[other].append(start)
        bodies = {}
        for head, tails in self.jumps_back().items():
            body, waiting = {head}, list(tails)
            while waiting:
                block = waiting.pop()
                if block not in body:
                    body.add(block)
                    waiting += before[block]
            bodies[head] = body
        return [Loop([instruction for start in sorted(body) for instruction in self.block(start)], len(body))
                for head, body in sorted(bodies.items()) if not any(other in body for other in bodies if other != head)]

    def jumps_back(self):
        """Returns, for each block that a later block of the same path jumps to, these later blocks. Blocks that only a jump table leads to begin paths of
        their own."""
        back, open_blocks, done = collections.defaultdict(list), set(), set()
        for root in self.after:
            if root in done:
                continue
            stack = [(root, iter(self.after[root]))]
            open_blocks.add(root)
            while stack:
                block, following = stack[-1]
                for other in following:
                    if other in open_blocks:
                        back[other].append(block)
                    elif other not in done:
                        open_blocks.add(other)
                        stack.append((other, iter(self.after[other])))
                        break
                else:
                    open_blocks.discard(block)
                    done.add(block)
                    stack.pop()
        return back
