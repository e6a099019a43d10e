"""Produces the bytes and expected tensors of a described model."""
import re

import numpy as np

from golden_models.graph import Graph
from golden_models.packing import difference
from golden_models.reference import Refused, run
from golden_models.writer import write_model

NO_SUCH_VERSION = re.compile(r"Didn't find op for builtin opcode '(\w+)' version '(\d+)'")


def produce(model, seed, packer):
    """Returns (manifest entry, None), or (None, the reason why the reference rejects the model)."""
    inputs = model.graphs[0].inputs
    steps = [[t.sample('%d/%s/%d/%d' % (seed, model.path, step, i)) for i, t in enumerate(inputs)]
             for step in range(model.steps)]
    try:
        # The first run determines the shapes of the results, which a real model file contains.
        shapes = result_shapes(model, steps)
        data = write_model(model.graphs, shapes)
        if model.defect:
            run_facts = {'reference': 'formula' if model.formula else 'builtin', 'reference_refusal': model.defect}
            answers = run(data, 'builtin', steps, model.stateful)
            if model.formula:
                answers = [computed(model, *answer) for answer in answers]
        else:
            run_facts, answers = run_reference(lambda versions: write_model(model.graphs, shapes, versions), steps,
                                               model.stateful)
    except Refused as refusal:
        return None, str(refusal)
    try:
        others = run(data, 'xnnpack', steps, model.stateful)
    except Refused:
        others = [None] * len(answers)

    entry = {'model': model.path, 'operator': model.operator, 'arithmetic': model.arithmetic(), **packer.model(data),
             **run_facts}
    if model.stateful:
        entry['stateful'] = True
    entry['cases'] = []
    for number, ((given, gave, _), other) in enumerate(zip(answers, others)):
        record = {'name': 'step%d' % number if model.stateful else 'random',
                  'inputs': [packer.tensor(i, *t) for i, t in enumerate(given)],
                  'outputs': []}
        arrays = tidied(model, gave)
        fast = tidied(model, other[1]) if other else [None] * len(gave)
        for i, (name, _, quantization) in enumerate(gave):
            record['outputs'].append({**packer.tensor(i, name, arrays[i], quantization),
                                      **difference(arrays[i], fast[i])})
        entry['cases'].append(record)
    return entry, None


def computed(model, given, gave, planned):
    """Returns the outputs by the model's formula, which must equal the optimized kernel's except for rounding."""
    arrays = model.formula(*[array for _, array, _ in given])
    for (name, array, _), exact in zip(gave, arrays):
        if array.shape != exact.shape or np.abs(array.astype(np.int64) - exact).max(initial=0) > 1:
            raise ValueError('%s: the formula for %s is wrong: %s instead of %s' % (model.path, name, exact, array))
    return given, [(name, exact, q) for (name, _, q), exact in zip(gave, arrays)], planned


def tidied(model, outputs):
    arrays = [array for _, array, _ in outputs]
    return model.tidy(arrays) if model.tidy else arrays


def run_reference(write, steps, stateful):
    """Uses the reference kernels if they exist, otherwise the optimized ones without a delegate.

    The reference resolver only supports some operators up to a lower version than the optimized one, although both use the same
    kernel, which ignores the version. In these cases, the version is lowered for the run.
    """
    versions, first = {}, None
    while True:
        try:
            answers = run(write(versions), 'builtin_ref', steps, stateful)
            return ({'reference_versions': dict(versions)} if versions else {}), answers
        except Refused as refusal:
            first = first or str(refusal)
            missing = NO_SUCH_VERSION.search(str(refusal))
            if not missing or int(missing.group(2)) == 1:
                break
            versions[missing.group(1)] = int(missing.group(2)) - 1
    return {'reference': 'builtin', 'reference_refusal': first}, run(write({}), 'builtin', steps, stateful)


def result_shapes(model, steps):
    """Returns the shape of every result of the main graph, by tensor identity, with None for dimensions that depend on values.

    The shapes of inner results are determined by making them outputs of a copy of the model.
    """
    main = model.graphs[0]
    results = []
    for node in main.nodes:
        results += [t for t in node.outputs if t.kind == 'result' and t.shape is None and t.like is None]
    if not results:
        return {}
    exposed = Graph(main.nodes, outputs=results, inputs=main.inputs)
    _, answers = run_reference(lambda versions: write_model([exposed] + model.graphs[1:], {}, versions), steps,
                               model.stateful)
    _, gave, planned = answers[0]
    is_resized = any(t.file_shape is not None for t in main.inputs)
    shapes = {id(t): [None] * array.ndim if is_resized or list(array.shape) != before else list(array.shape)
              for t, (_, array, _), before in zip(results, gave, planned)}
    for node in main.nodes:
        for t in node.outputs:
            if t.like is not None:
                other, more = t.like
                shapes[id(t)] = shapes[id(other)][:len(shapes[id(other)]) - more]
    return shapes
