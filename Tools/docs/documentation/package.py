"""What the manifest and the sources say of the package: its library products, where they lie, and what they show of other modules."""
import functools
import glob
import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
EXPORT = re.compile(r'^@_exported public import (?:(?:struct|enum|class|protocol|func|typealias) )?(\w+)', re.M)


def run(*command, **options):
    """What a command prints. Its complaints are shown only where it fails."""
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    if done.returncode != 0:
        raise SystemExit(f'error: {" ".join(command[:3])} … ended with {done.returncode}:\n{done.stdout}{done.stderr}')
    return done.stdout


@functools.cache
def manifest():
    return json.loads(run('swift', 'package', 'dump-package'))


@functools.cache
def products():
    """The names of library products, so that what a module imports comes before it. A product and its module have one name."""
    names = [product['name'] for product in manifest()['products'] if 'library' in product['type']]
    targets = {target['name']: target for target in manifest()['targets']}

    def depth(name):
        inner = [d['byName'][0] for d in targets[name].get('dependencies', []) if 'byName' in d]
        return 1 + max((depth(dependency) for dependency in inner), default=0)

    return sorted(names, key=lambda name: (depth(name), names.index(name)))


def folder(module):
    """Where a module of `Sources` lies."""
    found = glob.glob(os.path.join(ROOT, 'Sources', '*', module))
    if len(found) != 1:
        raise SystemExit(f'error: module {module} has {len(found)} folders in Sources')
    return found[0]


def catalog(product):
    return os.path.join(folder(product), product + '.docc')


@functools.cache
def shown(module):
    """The modules whose declarations `module` shows as its own and that are no products themselves, sorted. Those of C are left out."""
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
    """The folder `lib/swift` of the compiler that `swiftc` stands for."""
    return json.loads(run('swiftc', '-print-target-info'))['paths']['runtimeResourcePath']


@functools.cache
def build_folder():
    """Where the debug build has its products and modules."""
    path = run('swift', 'build', '--show-bin-path').strip()
    if not glob.glob(os.path.join(path, 'Modules', 'SwiftletVision.swiftmodule')):
        raise SystemExit(f'error: no modules in {path}: run swift build first')
    return path


@functools.cache
def module_options():
    """What compilers need to find the modules of the debug build, those of C by their maps."""
    patterns = [os.path.join(build_folder(), '*.build', 'module.modulemap')]
    patterns += [os.path.join(ROOT, 'Sources', '*', '*', *inner) for inner in (['module.modulemap'], ['include', 'module.modulemap'])]
    maps = [path for pattern in patterns for path in sorted(glob.glob(pattern))]
    return ['-I', os.path.join(build_folder(), 'Modules')] + [word for path in maps for word in ('-Xcc', '-fmodule-map-file=' + path)]
