"""Pages of docs/reports: what is measured is between `<!-- measured: NAME -->` and `<!-- end -->`, and the first block states the origin of all of it."""
import datetime
import os
import platform
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
FOLDER = os.path.join(ROOT, 'docs', 'reports')
BLOCK = re.compile(r'<!-- measured: (\S+) -->\n(.*?)<!-- end -->', re.S)
ORIGIN = re.compile(r'Commit ([0-9a-f]{8}) on (\d{4}-\d\d-\d\d)\. Command: `([^`]+)`\. Machine: (.+)')
# A result depends on these files only, so that a page may be committed after it was measured.
MEASURED = ('Package.swift', 'Sources', 'Models', 'Benchmarks/SwiftletBenchmarks', 'Benchmarks/CMachinePeaks')


def run(*words, cwd=ROOT):
    return subprocess.run(words, cwd=cwd, check=True, text=True, stdout=subprocess.PIPE).stdout


def commit():
    """Returns the commit that is measured: the last one that changed a measured file. Fails if such a file is changed and not committed."""
    changed = run('git', 'status', '--porcelain', '--', *MEASURED)
    if changed:
        raise SystemExit(f'error: a report is of one commit, and these files differ from it; commit them first:\n{changed}')
    return run('git', 'log', '-1', '--format=%H', '--', *MEASURED).strip()[:8]


def machine():
    """Returns the processor, the number of its cores, and the system."""
    fields = {}
    if os.path.exists('/proc/cpuinfo'):
        with open('/proc/cpuinfo', encoding='utf-8') as file:
            for line in file.read().split('\n\n')[0].splitlines():
                key, _, value = line.partition(':')
                fields[key.strip()] = value.strip()
    name = re.sub(r'\((R|TM)\)', '', fields.get('model name', platform.processor() or platform.machine())).strip()
    model = f' (family {fields["cpu family"]}, model {fields["model"]})' if 'cpu family' in fields else ''
    system = platform.freedesktop_os_release()['PRETTY_NAME'] if hasattr(platform, 'freedesktop_os_release') else platform.system()
    return f'{name}{model}, {os.cpu_count()} CPUs, {system}'


def origin(command, *versions):
    """Returns the text of the block `origin`: commit, date, command, and machine, with the versions of what else took part."""
    words = ', '.join([machine(), *(f'`{version}`' for version in versions)])
    return f'Commit {commit()} on {datetime.date.today()}. Command: `{command}`. Machine: {words}.'


def table(head, rows):
    """Returns a Markdown table. No cell is blank."""
    rows = [[str(cell) if str(cell).strip() else '–' for cell in row] for row in rows]
    return '\n'.join(['| ' + ' | '.join(head) + ' |', '|' + '---|' * len(head)] + ['| ' + ' | '.join(row) + ' |' for row in rows])


def filled(text, block):
    """Returns a page whose blocks have the texts that `block` returns for their names."""
    return BLOCK.sub(lambda match: f'<!-- measured: {match[1]} -->\n{block(match[1])}\n<!-- end -->', text)


def write(name, blocks):
    """Replaces the blocks of the page NAME.md by those in a dictionary of texts; fails if the page has others."""
    path = os.path.join(FOLDER, name + '.md')
    with open(path, encoding='utf-8') as file:
        page = file.read()
    there = [match[1] for match in BLOCK.finditer(page)]
    if sorted(there) != sorted(blocks):
        raise SystemExit(f'error: {name}.md has the blocks {", ".join(there)}, and {", ".join(blocks)} were measured')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(filled(page, lambda block: blocks[block].strip()))
