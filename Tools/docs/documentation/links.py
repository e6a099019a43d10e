"""Links: checks that the target of a link in a page or comment exists, including its heading."""
import os
import re
import urllib.parse

from . import package, pages

LINK = re.compile(r'!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)')
CODE = re.compile(r'`+[^`]*`+')
# Paths of the repository in code formatting.
NAMED = re.compile(r'`((?:docs|Tools|Sources|Tests|Benchmarks|Models|\.ci|\.github)/[\w./+-]*)`')


def slug(heading):
    """Returns the anchor that GitHub generates for a heading."""
    text = re.sub(r'\[([^\]]*)\]\([^)]*\)', r'\1', heading).strip().lower()
    return re.sub(r'[^\w\- ]', '', text).replace(' ', '-')


def anchors(path):
    found, counts = set(), {}
    for _, line in pages.split(pages.read(path))[0]:
        if match := re.match(r'#{1,6}\s+(.*?)\s*#*$', line):
            name = slug(match[1])
            counts[name] = counts.get(name, -1) + 1
            found.add(name if counts[name] == 0 else f'{name}-{counts[name]}')
        found.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return found


def fault(page, target):
    """Returns the problem with a link of a page, or `None`. External URLs are not requested."""
    if re.match(r'[a-z][a-z+.-]*:', target):
        return None
    name, _, anchor = target.partition('#')
    path = os.path.normpath(os.path.join(os.path.dirname(page), urllib.parse.unquote(name))) if name else page
    if path.startswith('..') or not os.path.exists(os.path.join(package.ROOT, path)):
        return f'{target} leads nowhere'
    if anchor and path.endswith('.md') and anchor not in anchors(path):
        return f'{path} has no heading #{anchor}'
    return None


def check():
    """Returns broken links, as lines for a terminal."""
    faults = []
    for path in pages.tracked('.md'):
        for number, line in pages.split(pages.read(path))[0]:
            for target in LINK.findall(CODE.sub('', line)):
                if found := fault(path, target):
                    faults.append(f'{path}:{number}: {found}')
            faults += missing(path, number, line)
    for path in pages.tracked('.swift'):
        if path.startswith(('Sources/', 'Benchmarks/', 'Tests/', 'Tools/')):
            for number, line in pages.comments(pages.read(path)):
                faults += missing(path, number, line)
    return faults


def missing(path, number, line):
    """Returns paths in code formatting that do not exist. Paths without an extension can name a product of a build."""
    return [f'{path}:{number}: there is no {name}' for name in NAMED.findall(line) if not os.path.exists(os.path.join(package.ROOT, name))]
