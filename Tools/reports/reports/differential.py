"""Random variants of the golden models, in LiteRT and in Swiftlet."""
from . import compared, page

# The titles that Tools/compare/differential prints, with the headings and the paragraphs of the page.
TITLES = {
    'Explained differences:': ('Explained differences', None),
    'Mutants that only one side runs (included above):': ('Mutants that only one side runs', 'These mutants are included in the explained differences.'),
    'Unexplained differences:': ('Unexplained differences', None),
    'Bit-exact float results, for operators with results that are not bit-exact:': (
        'Bit-exact float results', 'The table lists the operators with results that are not bit-exact.'),
    'Mutants per operator:': ('Mutants per operator', None),
}


def measure(options):
    words = [compared.peers(options), compared.tool('compare/differential'), '--swiftlet', options.swiftlet, '--count', '200' if options.short else '20000']
    text = compared.captured(options, 'differential.md', words, compares=True)
    return {'origin': page.origin(compared.command('differential', options), *compared.versions(options, 'ai-edge-litert')),
            'results': results(text)}


def results(text):
    """Returns the page's part, with a sentence about crashes and unexplained differences first."""
    found = compared.parts(text)
    first = next(part for part in found if isinstance(part, compared.Table))
    crashes = sum(int(count) for count in first.column('Crashes Swiftlet'))
    unexplained = sum(int(count) for count in following(found, 'Unexplained differences:').column('Mutants')) if 'Unexplained differences:' in found else 0
    line = (f'Swiftlet\'s process {"never crashed" if not crashes else f"crashed for {crashes} mutants"}, and '
            + ('every difference has a known cause.' if not unexplained else f'{unexplained} differences have no known cause.'))
    headed = [line]
    for part in found:
        heading, paragraph = TITLES.get(part, (None, None)) if isinstance(part, str) else (None, None)
        headed += [f'### {heading}', *filter(None, [paragraph])] if heading else [part]
    return compared.tidy(headed)


def following(found, title):
    """Returns the table below a title."""
    return found[found.index(title) + 1]
