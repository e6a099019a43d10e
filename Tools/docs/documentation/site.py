"""The site: an archive for each product from its symbol graphs and its catalog, merged into one."""
import concurrent.futures
import os
import shutil
import subprocess
import sys

from . import coverage, graphs, package


def build(output, work, base_path):
    """Writes the site to the directory `output`. Every declaration without a comment and every warning of `docc` is an error."""
    os.makedirs(os.path.join(work, 'archives'))
    faults, count = [], 0
    # More threads than cores: docc sleeps for a second before it ends.
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for result in pool.map(lambda product: archive(product, work, base_path), package.products()):
            faults += result[0]
            count += result[1]
    if faults:
        raise SystemExit('\n'.join(faults) + f'\nerror: {len(faults)} faults in the documentation')
    shutil.rmtree(output, ignore_errors=True)
    package.run(
        'docc', 'merge', *[os.path.join(work, 'archives', name + '.doccarchive') for name in sorted(package.products())], '--output-path', output,
        '--synthesized-landing-page-name', 'Swiftlet', '--synthesized-landing-page-kind', 'Package')
    return count


def archive(product, work, base_path):
    """Creates the archive of one product. Returns the problems with its documentation, and the number of its declarations."""
    folder = os.path.join(work, 'graphs', product)
    graphs.extract(product, folder)
    faults, count = coverage.uncommented(folder)
    if not os.path.isdir(package.catalog(product)):
        return faults + [f'{os.path.relpath(package.catalog(product), package.ROOT)} is missing: a product has a catalog'], count
    faults += coverage.ungrouped(product, folder)
    done = subprocess.run(
        ['docc', 'convert', package.catalog(product), '--additional-symbol-graph-dir', folder, '--fallback-display-name', product, '--fallback-bundle-identifier',
         'swiftlet.' + product, '--fallback-default-module-kind', 'Library', '--warnings-as-errors', '--hosting-base-path', base_path,
         '--output-dir', os.path.join(work, 'archives', product + '.doccarchive')],
        cwd=package.ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0 or 'warning:' in done.stdout:
        faults.append(f'docc on {product}:\n{done.stdout.strip()}')
    if sys.stderr.isatty():
        print(f'{product}: {count} declarations', file=sys.stderr)
    return faults, count
