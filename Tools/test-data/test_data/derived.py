"""Derives files from other files of the test data."""
import os

from test_data import catalog, fetch


def derive(recipes, data, replace):
    """Generates the files of `recipes`, {path: (paths of sources, function of their bytes)}, and returns the failures."""
    known, failures = catalog.by_path(), []
    for path, (sources, function) in recipes.items():
        target = os.path.join(data, path)
        if os.path.exists(target) and not replace:
            continue
        absent = [source for source in sources if not os.path.exists(os.path.join(data, source))]
        if absent:
            failures.append(f'{path}: needs {", ".join(absent)}; run fetch, or make what it is made from')
            continue
        content = function(*[read(data, source) for source in sources])
        fault = known[path].fault(content) if path in known else None
        if fault:
            failures.append(f'{path}: what was made has {fault}; use the versions of Tools/test-data/requirements.txt')
            continue
        fetch.write(target, content)
        print(f'{path}: {len(content)} bytes', flush=True)
    return failures


def read(data, path):
    with open(os.path.join(data, path), 'rb') as file:
        return file.read()
