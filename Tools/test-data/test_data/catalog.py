"""The files of the test data with known bytes, from files.tsv."""
import hashlib
import os
import urllib.parse
from typing import NamedTuple

from test_data import TOOL

# Files come from a commit of a repository, so that the same URL always gives the same bytes.
HOST = 'https://raw.githubusercontent.com'
# The origins other than files of a repository: derived from other files, and created by the project but unpublished.
MADE, UNPUBLISHED = 'made', 'project'


class File(NamedTuple):
    """A file of the test data. `origin` is OWNER/REPOSITORY@COMMIT:PATH, 'made', or 'project'."""
    path: str
    size: int
    sha256: str
    license: str
    origin: str

    @property
    def is_fetched(self):
        return self.origin not in (MADE, UNPUBLISHED)

    def url(self, host=HOST):
        repository, _, place = self.origin.partition('@')
        commit, _, path = place.partition(':')
        return f'{host.rstrip("/")}/{repository}/{commit}/{urllib.parse.quote(path)}'

    def fault(self, data):
        """Returns the reason why these bytes are not the file's, or None if they are."""
        if len(data) != self.size:
            return f'{len(data)} bytes instead of {self.size}'
        if hashlib.sha256(data).hexdigest() != self.sha256:
            return 'another SHA-256'
        return None


def files():
    with open(os.path.join(TOOL, 'files.tsv'), encoding='utf-8') as table:
        rows = [line.rstrip('\n').split('\t') for line in table][1:]
    return [File(path, int(size), sha256, license, origin) for path, size, sha256, license, origin in rows]


def below(folder):
    """Returns the files of a directory, without those of subdirectories that are parts of their own."""
    return [file for file in files() if file.path.startswith(folder + '/')]


def by_path():
    return {file.path: file for file in files()}
