"""Runs several trainings at once, each in a process of its own.

Two concurrent trainings on one core each are 1.5 times as fast as consecutive trainings on both cores, because the operators of such small networks parallelize badly.
"""
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor


class Console:
    """The output of several processes: permanent lines, and below them, on a terminal, the newest temporary line of each."""

    def __init__(self):
        self.lock, self.drawn = threading.Lock(), {}

    def stay(self, line: str) -> None:
        with self.lock:
            print(line + ('\x1b[K' if sys.stderr.isatty() else ''), file=sys.stderr, flush=True)
            self.redraw()

    def draw(self, name: str, text: str | None) -> None:
        with self.lock:
            self.drawn[name] = text
            self.redraw()

    def redraw(self) -> None:
        texts = [text for text in self.drawn.values() if text]
        if sys.stderr.isatty() and texts:
            sys.stderr.write('\n'.join(f'{text}\x1b[K' for text in texts) + '\x1b[J' + '\r' + (f'\x1b[{len(texts) - 1}A' if len(texts) > 1 else ''))
            sys.stderr.flush()


def run(commands: dict[str, list[str]], jobs: int) -> list[str]:
    """Runs the commands, some concurrently, in order; returns the names of those that failed."""
    console = Console()

    def one(name: str) -> int:
        process = subprocess.Popen(commands[name], stderr=subprocess.PIPE)
        rest = b''
        while part := process.stderr.read1(4096):
            *pieces, rest = re.split(rb'(?<=[\r\n])', rest + part)
            for piece in pieces:
                text = piece.decode(errors='replace').rstrip().removesuffix('\x1b[K')
                if piece.endswith(b'\r'):
                    console.draw(name, text)
                else:
                    console.stay(text)
        if rest:
            console.stay(rest.decode(errors='replace'))
        console.draw(name, None)
        return process.wait()

    with ThreadPoolExecutor(jobs) as pool:
        return [name for name, status in zip(commands, pool.map(one, commands)) if status]
