"""The public declarations with a comment, and the declarations that their product's landing page links to."""
import os
import re

from . import graphs, package

# Requirements of standard library protocols are documented there: a conformance has nothing to add.
STANDARD = ('s:S', 's:s')


def described(folder):
    """Returns the symbols that need a comment of their own: all but those that fulfill requirements of the standard library's protocols."""
    meets = {}
    for relation in graphs.entries(folder, 'relationships'):
        if relation['kind'] in ('requirementOf', 'defaultImplementationOf', 'overrides'):
            meets.setdefault(relation['source'], []).append(relation['target'])
        if origin := relation.get('sourceOrigin'):
            meets.setdefault(relation['source'], []).append(origin['identifier'])
    for symbol in graphs.entries(folder, 'symbols'):
        # A member that a protocol extension provides is documented with the protocol.
        if '::SYNTHESIZED::' in symbol['identifier']['precise']:
            continue
        others = meets.get(symbol['identifier']['precise'], [])
        if symbol['kind']['identifier'] != 'swift.extension' and not any(other.startswith(STANDARD) for other in others):
            yield symbol


def uncommented(folder):
    """Returns the symbols without a comment, as lines for a terminal, and the number of all symbols."""
    missing, count = [], 0
    for symbol in described(folder):
        count += 1
        lines = symbol.get('docComment', {}).get('lines', [])
        if not any(line['text'].strip() for line in lines):
            place = f'{os.path.relpath(graphs.source(symbol), package.ROOT)}:{symbol["location"]["position"]["line"] + 1}'
            missing.append(f'{place}: {".".join(symbol["pathComponents"])} has no comment')
    return missing, count


def ungrouped(product, folder):
    """Returns the types and functions of a product that its landing page does not list under Topics, as lines for a terminal."""
    page = os.path.join(package.catalog(product), product + '.md')
    with open(page, encoding='utf-8') as file:
        topics = file.read().partition('\n## Topics\n')[2]
    named = set(re.findall(r'^- ``(?:\w+/)?(\w+)``$', topics, re.M))
    tops = {symbol['pathComponents'][0] for symbol in described(folder) if len(symbol['pathComponents']) == 1}
    return [f'{os.path.relpath(page, package.ROOT)}: {name} is in no group of Topics' for name in sorted(tops - named)]
