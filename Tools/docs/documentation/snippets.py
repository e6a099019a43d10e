"""Checks that the code on pages and in comments compiles: every Swift block, and every step of a tutorial.

Each block is compiled as a function of its own, in the context that the text presupposes. A page declares the context in an HTML comment:

    <!-- code
    let image: InputImage
    func show(_ faces: [FaceDetection]) {}
    -->

Lines `let name: Type` become parameters of every block; all other lines are next to them in the file. `comments.txt` declares the context for comments of declarations.
"""
import concurrent.futures
import os
import re
import subprocess
import tempfile

from . import package, pages

# Pages whose code a test of `swift test` compiles or runs, with that test.
TESTED = {
    'SECURITY.md': 'Tests/Engine/SwiftletEngineTests/Documentation/SecurityPageTests.swift',
    'README.md': 'Tests/Command/CommandLineEndToEndTests/ReadmeCodeTests.swift',
    'docs/guide/gallery.md': 'Tests/Command/CommandLineEndToEndTests/ReadmeCodeTests.swift',
    'docs/guide/mediapipe-facade.md': 'Tests/Command/CommandLineEndToEndTests/MigrationGuideTests.swift',
    'docs/guide/mlkit-facade.md': 'Tests/Command/CommandLineEndToEndTests/MigrationGuideTests.swift',
    'docs/internals/chained-tasks.md': 'Tests/Command/CommandLineEndToEndTests/ChainedTaskPageTests.swift',
    'docs/guide/custom-operators.md': 'Tests/Engine/SwiftletEngineTests/CustomOperators/CustomOperatorTests.swift',
    'docs/guide/tensorflowlite-facade.md': 'Tests/Facades/TensorFlowLiteTests/GuideTests.swift',
    'docs/guide/task-library-facade.md': 'Tests/Facades/TensorFlowLiteTaskVisionTests/TaskVisionTests.swift',
}

# The context of code in comments of declarations.
CONTEXTS = os.path.join('Tools', 'docs', 'comments.txt')


def context(text):
    """Returns the parameters and the declarations of a page's comment."""
    match = re.search(r'<!-- code\n(.*?)\n-->', text, re.S)
    return given(match[1].split('\n') if match else [])


def given(lines):
    """Splits parameters and declarations."""
    parameters = [line[4:] for line in lines if re.match(r'let \w+: ', line)]
    return parameters, [line for line in lines if line[4:] not in parameters]


def program(blocks, parameters, beside):
    """Returns one file of blocks from several places: each is a path, the number of its first line there, and its lines."""
    imports, bodies = set(), []
    for path, number, lines in blocks:
        imports.update(line for line in lines if line.startswith('import '))
        body = '\n'.join('' if line.startswith('import ') else line for line in lines)
        if body.startswith('}'):
            # A catch clause without its do block; dots stand for omitted code.
            body = 'do { try work() ' + '\n'.join(line if at == 0 else line.lstrip('}') for at, line in enumerate(body.split('\n'))).replace('…', '')
        effects = 'async throws' if 'await' in body else 'throws'
        bodies.append(
            f'func block{len(bodies)}({", ".join(parameters)}) {effects} {{\n#sourceLocation(file: "{path}", line: {number})\n{body}\n#sourceLocation()\n}}')
    return {'Page.swift': '\n'.join(sorted(imports) + beside + bodies)}


def programs():
    """Yields programs to compile: their names for messages, and their files. A file called `main.swift` is a program of its own."""
    for path in pages.tracked('.md'):
        text = pages.read(path)
        blocks = [(number, lines) for language, number, lines in pages.split(text)[1] if language == 'swift']
        if not blocks or path in TESTED:
            continue
        whole = [(number, lines) for number, lines in blocks if lines[0].startswith('// swift-tools-version')]
        for number, lines in whole:
            yield f'{path}:{number}', {'Package.swift': '\n'.join(lines)}
        if len(blocks) > len(whole):
            yield path, program([(path, *block) for block in blocks if block not in whole], *context(text))
    yield from comment_programs()
    for path in pages.tracked('.tutorial'):
        folder, files = os.path.join(os.path.dirname(path), 'Resources'), {}
        for name, source in re.findall(r'@Code\(name: "?([\w.]+)"?, file: "?([\w.-]+)"?\)', pages.read(path)):
            files[name] = pages.read(os.path.join(folder, source))
            if name == 'Package.swift':
                yield f'{path}: {source}', {name: files.pop(name)}
            else:
                # A program cannot compile before its types exist: a step only displays one file.
                yield f'{path}: {source}', dict(files)


def comment_programs():
    """Yields the code in comments of declarations: a program for each module that programs import."""
    assumed = {}
    for line in pages.read(CONTEXTS).split('\n'):
        if line.startswith('== '):
            lines = assumed.setdefault(line[3:], [])
        elif line and not line.startswith('#'):
            lines.append(line)
    public = {module for product in package.products() for module in [product, *package.shown(product)]}
    found = {}
    for path in pages.tracked('.swift'):
        module = path.split('/')[2] if path.startswith('Sources/') and '.docc/' not in path else None
        if module in public:
            comments = pages.comments(pages.read(path))
            for language, number, lines in pages.split('\n'.join(line for _, line in comments))[1]:
                if language == 'swift':
                    found.setdefault(module, []).append((path, comments[number - 1][0], lines))
    for module, blocks in found.items():
        parameters, beside = given(assumed.get(module, []))
        yield f'comments of {module}', program(blocks, parameters, ['import ' + module, *beside])


def compile_program(name, files):
    """Returns the compiler's errors in a program, or `None`."""
    with tempfile.TemporaryDirectory() as folder:
        for file, text in files.items():
            with open(os.path.join(folder, file), 'w', encoding='utf-8') as output:
                output.write(text + '\n')
        paths = [os.path.join(folder, file) for file in files]
        if 'Package.swift' in files:
            manifests = os.path.join(package.toolchain(), 'pm', 'ManifestAPI')
            options = ['-I', manifests, '-package-description-version', '6.2', '-parse-as-library']
        else:
            options = ['-swift-version', '6', '-module-name', 'Page', *package.module_options()] + (['-parse-as-library'] if 'Page.swift' in files else [])
        done = subprocess.run(
            ['swiftc', '-typecheck', '-suppress-warnings', *options, *paths], cwd=package.ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return None if done.returncode == 0 else f'{name}: does not compile:\n{done.stdout.replace(folder + os.sep, "")[:3000]}'


def check():
    """Returns pages and steps that do not compile, as lines for a terminal, and the number of compiled ones."""
    faults = [
        f'{test} is said to test {page}, and does not name it' for page, test in TESTED.items()
        if os.path.basename(page).removesuffix('.md') not in pages.read(test)]
    package.module_options()
    package.toolchain()
    found = list(programs())
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults += [fault for fault in pool.map(lambda program: compile_program(*program), found) if fault]
    return faults, len(found)
