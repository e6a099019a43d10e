"""Spelling: checks that every word of the pages and of the comments of declarations is in a list of English words or of the project's terms."""
import os
import re

from . import package, pages

# American spelling.
LISTS = ['/usr/share/dict/american-english-large']
TERMS = os.path.join('Tools', 'docs', 'terms.txt')
# Code, URLs, markup, and the parts of links in angle or square brackets.
NOISE = re.compile(r'``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^<>]*>|https?://\S+|&\w+;|\b[\w.-]+/[\w./-]+|\b\w+(?:\.\w+)+\b|@\w+|\$\S+')
WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:['’][A-Za-z]+)*")
# A word with digits, underscores, or inner capitals is a name.
# The names in a comment's list, such as parameters.
LISTED = re.compile(r'^\s*- (?:Parameter )?`?\w+`?:')
NAME = re.compile(r"\w*(?:[\d_]|[a-z][A-Z]|[A-Z]{2})\w*(?:['’]s\b)?")


def english():
    """Returns the lowercase words of the lists, or `None` unless all of them are installed."""
    if not all(map(os.path.exists, LISTS)):
        return None
    known = set()
    for path in LISTS:
        with open(path, encoding='utf-8') as file:
            known |= {word.strip().lower() for word in file}
    return known


def terms():
    with open(os.path.join(package.ROOT, TERMS), encoding='utf-8') as file:
        return {word.strip().lower() for word in file if word.strip() and not word.startswith('#')}


def words(lines):
    """Returns the words of prose in lowercase, with their line numbers."""
    for number, line in lines:
        for word in WORD.findall(NAME.sub(' ', NOISE.sub(' ', LISTED.sub(' ', line)))):
            word = word.replace('’', "'").lower()
            yield number, re.sub(r"('s|')$", '', word)


def texts():
    """Yields all texts for people: paths and their lines outside of code."""
    for path in pages.tracked('.md', '.tutorial'):
        prose, _ = pages.split(re.sub(r'<!--.*?-->', lambda match: '\n' * match[0].count('\n'), pages.read(path), flags=re.S))
        if path.endswith('.tutorial'):
            prose = [(number, re.sub(r'@\w+\([^)]*\)', ' ', line)) for number, line in prose]
        yield path, prose
    for path in pages.tracked('.swift'):
        if path.startswith(('Sources/', 'Benchmarks/')):
            yield path, pages.comment_prose(pages.read(path))


def check():
    """Returns words that no list contains, as lines for a terminal. `None` if there is no list."""
    known = english()
    if known is None:
        return None
    known |= terms()
    faults = []
    for path, lines in texts():
        for number, word in words(lines):
            if len(word) > 2 and word not in known:
                faults.append(f'{path}:{number}: {word}')
    return faults
