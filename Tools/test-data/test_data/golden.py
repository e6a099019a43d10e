"""Golden tensors of the models in the test data: the outputs of LiteRT's reference kernels for generated inputs and images.

The manifest has format 1, which Tools/golden/README.md describes, with the additional fields of models in files of their own.
"""
import hashlib
import json
import os
import sys

from test_data import ROOT, TOOL, Problem, missing, parts

SEED = 1234
# The reference kernels take minutes for the largest models.
SECONDS = 900
# Larger outputs are sampled: every k-th element is stored.
LARGEST_OUTPUT = 262144
# The photo for models that inputs.json doesn't list.
PHOTO = 'burger.jpg'


def make(data, replace, out=None, only=''):
    """Writes the manifest and the tensors, and returns the failures."""
    folder = os.path.abspath(out or os.path.join(data, 'golden'))
    if os.path.exists(os.path.join(folder, 'manifest.json')) and not replace:
        print(f'{folder}/manifest.json is there already; --replace makes it again')
        return []
    names = [name for name in parts.models(data) if only in name]
    if not names:
        raise Problem(f'no model in {os.path.join(data, "models")} has \'{only}\' in its path; run fetch, or change --only')
    packing, reference = modules()
    with open(os.path.join(TOOL, 'inputs.json'), encoding='utf-8') as file:
        settings = json.load(file)
    from importlib.metadata import version
    manifest = {'format': 1, 'seed': SEED, 'byte_order': 'little',
                'generator': {'script': 'Tools/test-data/test-data',
                              **{name.replace('-', '_'): version(name) for name in ('ai-edge-litert', 'numpy', 'pillow')}},
                'models': [], 'skipped': []}
    packer = packing.Packer()
    for name in names:
        chosen = settings.get(name, {})
        try:
            if 'skip' in chosen:
                raise reference.Refused(chosen['skip'])
            manifest['models'].append(entry(name, data, chosen, packer))
        except reference.Refused as refusal:
            manifest['skipped'].append({'model': name, 'reason': str(refusal)})
        print(name, manifest['skipped'][-1]['reason'] if manifest['skipped'] and manifest['skipped'][-1]['model'] == name
              else f'{len(manifest["models"][-1]["cases"])} cases', flush=True)
    packer.write(folder, manifest)
    return []


def modules():
    """Imports the modules of Tools/golden that run models and write tensors."""
    sys.path.append(os.path.join(ROOT, 'Tools', 'golden'))
    try:
        import ai_edge_litert  # noqa: F401
        import PIL  # noqa: F401
        from golden_models import packing, reference
    except ImportError as error:
        raise missing(error.name) from None
    return packing, reference


def entry(name, data, settings, packer):
    """Returns the manifest's entry of a model. Raises `reference.Refused` if LiteRT doesn't run it."""
    from golden_models import reference
    from test_data.inputs import Inputs
    from test_data.rewriting import runnable
    with open(os.path.join(data, 'models', name), 'rb') as file:
        content = file.read()
    model, rewritten = runnable(content)
    image = os.path.join(data, 'images', settings.get('image', PHOTO))
    inputs = Inputs(name, settings, SEED, image if os.path.exists(image) else None)
    kernels = 'builtin_ref'
    try:
        answers = reference.run(model, kernels, inputs.steps, False, SECONDS)
    except reference.Refused:
        # The reference lacks some operator versions that the optimized kernels have.
        kernels = 'builtin'
        answers = reference.run(model, kernels, inputs.steps, False, SECONDS)
    try:
        others = reference.run(model, 'xnnpack', inputs.steps, False, SECONDS)
    except reference.Refused:
        others = [None] * len(answers)
    cases = []
    for case, (given, gave, _), other in zip(('random', 'image'), answers, others):
        cases.append({
            'name': case, 'image': os.path.basename(image) if case == 'image' else None,
            'inputs': [stored_input(packer, inputs, case, index, *value) for index, value in enumerate(given)],
            'outputs': [stored_output(packer, index, value, other[1][index][1] if other else None)
                        for index, value in enumerate(gave)]})
    return {'model': name, 'sha256': hashlib.sha256(content).hexdigest(), 'reference': kernels,
            'rewritten_ops': rewritten, 'cases': cases}


def stored_input(packer, inputs, case, index, name, array, quantization):
    """Large float inputs are stored as the bytes that they were made from."""
    pixels, how = inputs.stored(case, index, array)
    record = packer.tensor(index, name, array if pixels is None else pixels, quantization)
    return {**record, 'dtype': array.dtype.name, **how}


def stored_output(packer, index, value, other):
    from golden_models.packing import difference
    name, array, quantization = value
    stride = max(1, -(-array.nbytes // LARGEST_OUTPUT))
    # An odd stride, because an even one would always select the same channels.
    stride += stride > 1 and stride % 2 == 0
    record = packer.tensor(index, name, array if stride == 1 else array.reshape(-1)[::stride], quantization)
    return {**record, 'shape': list(array.shape), **({'sample_stride': stride, 'elements': array.size} if stride > 1 else {}),
            **difference(array, other)}
