"""docs/reports/servers.md: the image service beside the same service in Python."""
import os

from . import compared, page


def measure(options):
    command = [compared.peers(options), page.ROOT + '/Benchmarks/servers/measure', '--peers', compared.peers(options)]
    if options.short:
        command += ['--clients', '1,2', '--seconds', '1', '--rounds', '1']
    table = compared.captured(options, 'servers.md', command, env={'SWIFTLET_PROGRAMS': os.path.dirname(options.swiftlet)})
    rows = [line.split('|') for line in table.splitlines()[2:]]
    rates = {}
    for row in rows:
        rates.setdefault(int(row[2]), {})[row[1].strip()] = float(row[3])
    ratios = [every['Swiftlet'] / max(rate for name, rate in every.items() if name != 'Swiftlet') for every in rates.values() if len(every) > 1]
    result = f'Swiftlet classifies {min(ratios):.1f} to {max(ratios):.1f} times as many images per second as the fastest of the Python services.'
    return {'origin': page.origin(compared.command('servers', options), *compared.versions(options, 'ai-edge-litert', 'mediapipe', 'pillow', 'uvicorn')),
            'table': table, 'result': compared.wrapped(result)}
