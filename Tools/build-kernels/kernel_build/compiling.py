"""The compiler's side: flags, digests of what is compiled, and the assembly that comes out."""
import hashlib
import os
import re
import subprocess
import tempfile

from . import levels

SWIFTC = os.environ.get('SWIFTC', 'swiftc')
COMMON = ('-swift-version 6 -O -wmo -parse-as-library -module-name SwiftletKernels -package-name swiftlet -emit-assembly '
          # A stack check would be a call. Kernels contain their vectors and their unrolling.
          '-Xfrontend -disable-stack-protector -Xllvm -vectorize-loops=false -Xllvm -unroll-runtime=false -D SWIFTLET_COMPILES_KERNELS')
ARCHITECTURES = {
    'x86_64': '-target x86_64-unknown-linux-gnu',
    # Kernels need no runtime, so arm64 uses the modules for programs without an operating system, which every toolchain contains.
    'arm64': ('-target aarch64-none-none-elf -enable-experimental-feature Embedded -Xfrontend -function-sections -D SWIFTLET_NEON '
              '-import-objc-header Tools/build-kernels/neon.h -Xcc -ffixed-x18'),
}


def flags(level):
    return COMMON.split() + ARCHITECTURES[level.architecture].split() + level.flags


def compiler():
    """Returns the compiler version, as in the headers of the files."""
    output = subprocess.run([SWIFTC, '--version'], capture_output=True, text=True).stdout
    match = re.search(r'Swift version \S+ \([^)]*\)', output)
    return match[0] if match else ''


def without_comments(text, marker):
    """Returns the lines of a program without comments and empty lines. Comments that follow code begin after two spaces or more."""
    lines = (re.sub(rf'(^|\s\s+|;\s+){marker}.*$', '', line).rstrip() for line in text.splitlines())
    return '\n'.join(line for line in lines if line.strip())


def digest(level, by_name):
    """Returns the digest of the code and the flags that determine a file, whatever the comments say."""
    hasher = hashlib.sha256()

    def add(path, marker):
        with open(os.path.join(levels.FOLDER, '..', '..', path)) as file:
            hasher.update(f'{os.path.basename(path)}\n{without_comments(file.read(), marker)}\n'.encode())

    hasher.update(' '.join(flags(level)).encode())
    for name in ('cleaning.py', 'compiling.py', 'deltas.py'):
        add(f'Tools/build-kernels/kernel_build/{name}', '#')
    for header in re.findall(r'Tools/build-kernels/\w+\.h', ' '.join(flags(level))):
        add(header, '//')
    for source in level.sources():
        add(source, '//')
    if level.base:
        hasher.update(digest(by_name[level.base], by_name).encode())
    return hasher.hexdigest()


def respelled(source):
    """Returns the source with the attributes of Swift 6.3 in place of those that Swift 6.2 compiles too: `@inline(always)` inlines functions that
    `@inline(__always)` does not, and `@c` functions have one body where those of `@_cdecl` have two."""
    source = re.sub(r'(?m)^ *import SwiftletKernels$\n?', '', source)
    return re.sub(r'@_cdecl\("(swiftlet_[a-z0-9_]+)"\)', r'@c(\1)', source.replace('@inline(__always)', '@inline(always)'))


def assembly(level, root):
    """Compiles a level and returns the compiler's assembly."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for name in level.sources():
            with open(os.path.join(root, name)) as file:
                text = respelled(file.read())
            paths.append(os.path.join(folder, name))
            os.makedirs(os.path.dirname(paths[-1]), exist_ok=True)
            with open(paths[-1], 'w') as file:
                file.write(text)
        output = os.path.join(folder, 'assembly')
        subprocess.run([SWIFTC, *flags(level), '-o', output, *paths], check=True, cwd=root)
        with open(output) as file:
            return file.read()
