"""Spelling: every word of the pages and of the comments of declarations is in a list of English words, or is one of our terms."""
import os
import re

from . import package, pages

# American spelling.
LISTS = ['/usr/share/dict/american-english-large']
TERMS = os.path.join('Tools', 'docs', 'terms.txt')
# Code, addresses, markup, and what stands in angle or square brackets of links.
NOISE = re.compile(r'``[^`]*``|`[^`]*`|\]\([^)]*\)|<[^<>]*>|https?://\S+|&\w+;|\b[\w.-]+/[\w./-]+|\b\w+(?:\.\w+)+\b|@\w+|\$\S+')
WORD = re.compile(r"[A-Za-zÀ-ÿ]+(?:['’][A-Za-z]+)*")
# A word with digits, underscores or capitals inside is a name.
# What a comment's list explains: parameters and the like.
LISTED = re.compile(r'^\s*- (?:Parameter )?`?\w+`?:')
NAME = re.compile(r"\w*(?:[\d_]|[a-z][A-Z]|[A-Z]{2})\w*(?:['’]s\b)?")


def english():
    """The lowercase words of the lists; `None` unless all of them are installed."""
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
    """The words of prose, in small letters, with the numbers of their lines."""
    for number, line in lines:
        for word in WORD.findall(NAME.sub(' ', NOISE.sub(' ', LISTED.sub(' ', line)))):
            word = word.replace('’', "'").lower()
            yield number, re.sub(r"('s|')$", '', word)


def texts():
    """All texts for people: paths and their lines outside of code."""
    for path in pages.tracked('.md', '.tutorial'):
        prose, _ = pages.split(re.sub(r'<!--.*?-->', lambda match: '\n' * match[0].count('\n'), pages.read(path), flags=re.S))
        if path.endswith('.tutorial'):
            prose = [(number, re.sub(r'@\w+\([^)]*\)', ' ', line)) for number, line in prose]
        yield path, prose
    for path in pages.tracked('.swift'):
        if path.startswith(('Sources/', 'Benchmarks/')):
            yield path, pages.comment_prose(pages.read(path))


def check():
    """Words that no list has, as lines for a terminal. `None` where there is no list."""
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
