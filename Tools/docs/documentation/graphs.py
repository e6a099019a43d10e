"""Symbol graphs: the public declarations of the debug build's modules, from the toolchain's extractor."""
import functools
import glob
import json
import os
import urllib.parse

from . import package


@functools.cache
def target():
    """Returns the triple that the compiler builds for."""
    return json.loads(package.run('swiftc', '-print-target-info'))['target']['triple']


def extract(product, output):
    """Writes the graphs of a product to a directory: its own declarations and those of the modules that it re-exports."""
    os.makedirs(output)
    shown = package.shown(product)
    also = ['-experimental-allowed-reexported-modules=' + ','.join(shown)] if shown else []
    package.run(
        'swift-symbolgraph-extract', '-module-name', product, '-target', target(), '-minimum-access-level', 'public',
        '-emit-extension-block-symbols', '-output-dir', output, *also, *package.module_options())
    for path in files(output):
        with open(path, encoding='utf-8') as file:
            graph = json.load(file)
        keep_written(graph)
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(graph, file)


def keep_written(graph):
    """Removes symbols that the sources do not contain: what the compiler synthesizes, and what a C header includes from the system."""
    graph['symbols'] = [symbol for symbol in graph['symbols'] if symbol['kind']['identifier'] == 'swift.extension' or is_written(symbol)]
    kept = {symbol['identifier']['precise'] for symbol in graph['symbols']}
    graph['relationships'] = [
        relation for relation in graph['relationships']
        if relation['source'] in kept and (relation['kind'] != 'memberOf' or relation['target'] in kept or 'targetFallback' in relation)]


def is_written(symbol):
    return 'location' in symbol and source(symbol).startswith(package.ROOT + os.sep)


def source(symbol):
    """Returns the path of the file that declares a symbol."""
    return urllib.parse.unquote(urllib.parse.urlparse(symbol['location']['uri']).path)


def files(folder):
    return sorted(glob.glob(os.path.join(folder, '*.symbols.json')))


def entries(folder, kind):
    """Returns all `symbols` or all `relationships` of the graphs in a directory, as the extractor describes them."""
    for path in files(folder):
        with open(path, encoding='utf-8') as file:
            yield from json.load(file)[kind]
