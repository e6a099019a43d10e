"""Downloads files from public repositories. Nothing else in this package uses the network."""
import os
import urllib.error
import urllib.request

from test_data import catalog

SECONDS = 60


def fetch(parts, data, host=catalog.HOST):
    """Downloads missing files, and returns the number of downloaded files and the reasons of failures."""
    count, failures = 0, []
    for file in (file for part in parts for file in part.files() if file.is_fetched):
        path = os.path.join(data, file.path)
        if os.path.exists(path):
            continue
        try:
            content = download(file, host)
        except (OSError, ValueError) as error:
            failures.append(f'{file.path}: {error}')
            continue
        write(path, content)
        count += 1
        print(f'{file.path}: {file.size} bytes', flush=True)
    return count, failures


def download(file, host):
    """Returns the bytes of a file, if they match files.tsv."""
    url = file.url(host)
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            # One byte more than expected is enough to detect another file.
            content = answer.read(file.size + 1)
    except urllib.error.URLError as error:
        raise OSError(f'cannot download {url}: {error.reason}') from None
    fault = file.fault(content)
    if fault:
        raise ValueError(f'{url} has {fault}; it is not stored')
    return content


def write(path, content):
    """Writes a file completely or not at all."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f'{path}.part'
    with open(temporary, 'wb') as file:
        file.write(content)
    os.replace(temporary, path)
