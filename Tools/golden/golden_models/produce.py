"""From a described model to its bytes and expected tensors."""
from golden_models.packing import difference, statistics
from golden_models.reference import Refused, run
from golden_models.writer import write_model


def produce(model, seed, packer):
    """(manifest entry, None), or (None, why the reference refuses the model)."""
    inputs = model.graphs[0].inputs
    steps = [[t.sample('%d/%s/%d/%d' % (seed, model.path, step, i)) for i, t in enumerate(inputs)]
             for step in range(model.steps)]
    try:
        # The first run learns the shapes of the results, which a real model file states.
        mode, _, _ = run_reference(write_model(model.graphs), steps, model.stateful)
        shapes = result_shapes(model, steps, mode)
        data = write_model(model.graphs, shapes)
        mode, answers, first_refusal = run_reference(data, steps, model.stateful)
    except Refused as refusal:
        return None, str(refusal)
    try:
        others = run(data, 'xnnpack', steps, model.stateful)
        other_error = None
    except Refused as refusal:
        others, other_error = [None] * len(answers), str(refusal)

    entry = {'model': model.path, 'operator': model.operator, 'arithmetic': model.arithmetic(), **packer.model(data),
             'reference': mode}
    if first_refusal:
        entry['reference_refusal'] = first_refusal
    if model.stateful:
        entry['stateful'] = True
    entry['cases'] = []
    for number, ((given, gave), other) in enumerate(zip(answers, others)):
        record = {'name': 'step%d' % number if model.stateful else 'random' if model.steps == 1 else 'random%d' % number,
                  'inputs': [packer.tensor(i, *t) for i, t in enumerate(given)],
                  'outputs': []}
        for i, (name, array, quantization) in enumerate(gave):
            fast = other[1][i][1] if other else None
            record['outputs'].append({**packer.tensor(i, name, array, quantization), **statistics(array), **difference(array, fast)})
        if other_error:
            record['xnnpack_error'] = other_error
        entry['cases'].append(record)
    return entry, None


def run_reference(data, steps, stateful):
    """Reference kernels where they exist, else the optimised ones without a delegate."""
    try:
        return 'builtin_ref', run(data, 'builtin_ref', steps, stateful), None
    except Refused as refusal:
        first = str(refusal)
    return 'builtin', run(data, 'builtin', steps, stateful), first


def result_shapes(model, steps, mode):
    """The shape of every result of every subgraph, by tensor identity.

    Results inside the graph are learnt by making them outputs of a copy of the model.
    """
    from golden_models.graph import Graph
    main = model.graphs[0]
    results = []
    for node in main.nodes:
        results += [t for t in node.outputs if t.kind == 'result' and t.shape is None]
    exposed = Graph(main.nodes, outputs=results, inputs=main.inputs)
    answers = run(write_model([exposed] + model.graphs[1:]), mode, steps, model.stateful)
    return {id(t): list(array.shape) for t, (_, array, _) in zip(results, answers[0][1])}
