"""The package as described by the manifest and the sources: its library products, their locations, and the modules that they re-export."""
import functools
import glob
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
EXPORT = re.compile(r'^@_exported public import (?:(?:struct|enum|class|protocol|func|typealias) )?(\w+)', re.M)


def run(*command, **options):
    """Returns the output of a command. Its errors are only printed if it fails."""
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise SystemExit(f'error: {" ".join(command[:3])} … ended with {done.returncode}:\n{done.stdout}{done.stderr}')
    return done.stdout


@functools.cache
def manifest():
    return json.loads(run('swift', 'package', 'dump-package'))


@functools.cache
def products():
    """Returns the names of library products, with imported modules before those that import them. A product and its module share a name."""
    names = [product['name'] for product in manifest()['products'] if 'library' in product['type']]
    targets = {target['name']: target for target in manifest()['targets']}

    def depth(name):
        inner = [d['byName'][0] for d in targets[name].get('dependencies', []) if 'byName' in d]
        return 1 + max((depth(dependency) for dependency in inner), default=0)

    return sorted(names, key=lambda name: (depth(name), names.index(name)))


def folder(module):
    """Returns the directory of a module of `Sources`."""
    found = glob.glob(os.path.join(ROOT, 'Sources', '*', module))
    if len(found) != 1:
        raise SystemExit(f'error: module {module} has {len(found)} folders in Sources')
    return found[0]


def catalog(product):
    return os.path.join(folder(product), product + '.docc')


@functools.cache
def shown(module):
    """Returns the modules that `module` re-exports and that are not products themselves, sorted. C modules are omitted."""
    modules, waiting = set(), [module]
    while waiting:
        for path in glob.glob(os.path.join(folder(waiting.pop()), '**', '*.swift'), recursive=True):
            with open(path, encoding='utf-8') as file:
                for name in EXPORT.findall(file.read()):
                    if name not in modules and name not in products() and glob.glob(os.path.join(ROOT, 'Sources', '*', name, '**', '*.swift'), recursive=True):
                        modules.add(name)
                        waiting.append(name)
    return sorted(modules)


@functools.cache
def toolchain():
    """Returns the directory `lib/swift` of the compiler that `swiftc` refers to."""
    return json.loads(run('swiftc', '-print-target-info'))['paths']['runtimeResourcePath']


@functools.cache
def build_folder():
    """Returns the directories of the debug build's products and modules."""
    path = run('swift', 'build', '--show-bin-path').strip()
    if not glob.glob(os.path.join(path, 'Modules', 'SwiftletVision.swiftmodule')):
        raise SystemExit(f'error: no modules in {path}: run swift build first')
    return path


@functools.cache
def module_options():
    """Returns the compiler arguments that find the modules of the debug build, with C modules by their maps."""
    patterns = [os.path.join(build_folder(), '*.build', 'module.modulemap')]
    patterns += [os.path.join(ROOT, 'Sources', '*', '*', *inner) for inner in (['module.modulemap'], ['include', 'module.modulemap'])]
    maps = [path for pattern in patterns for path in sorted(glob.glob(pattern))]
    return ['-I', os.path.join(build_folder(), 'Modules')] + [word for path in maps for word in ('-Xcc', '-fmodule-map-file=' + path)]
