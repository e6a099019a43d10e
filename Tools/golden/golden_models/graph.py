"""A model as operator entries describe it: nodes over tensors, and the registry of all models."""
from golden_models.tensors import Tensor

# The highest operator versions by the type that requires them; a plain float32 model has version 1.
TYPE_VERSIONS = {'int8': 2, 'int16': 3}
# Operators whose int8 or int16 variant has no version of its own.
HIGHEST_VERSIONS = dict.fromkeys(
    'L2_POOL_2D RELU_N1_TO_1 RESHAPE PRELU NEG EXPAND_DIMS SHAPE POW ONE_HOT SQUARE RANK HARD_SWISH SCATTER_ND CUMSUM '
    'RELU_0_TO_1 ELU ROUND CEIL FLOOR REVERSE_SEQUENCE TFLite_Detection_PostProcess'.split(), 1)
HIGHEST_VERSIONS.update(dict.fromkeys(
    'DEPTH_TO_SPACE L2_NORMALIZATION SPACE_TO_DEPTH DIV SQUEEZE EXP LOG_SOFTMAX GREATER LESS_EQUAL SIN LOG SUM SQRT '
    'REDUCE_PROD FLOOR_MOD RANGE LEAKY_RELU SQUARED_DIFFERENCE COS SELECT_V2 SIGN'.split(), 2))


class Node:
    def __init__(self, operator, inputs, outputs, options=None, version=1, custom_options=None, intermediates=None):
        self.operator, self.inputs, self.outputs = operator, list(inputs), list(outputs)
        self.options, self.version = options, version
        self.custom_options, self.intermediates = custom_options, intermediates


class Graph:
    """Nodes in execution order; inputs are the tensors of kind 'input' in order of use, unless given."""

    def __init__(self, nodes, outputs=None, inputs=None, name='main'):
        self.nodes, self.name = nodes, name
        self.inputs = inputs
        if inputs is None:
            self.inputs = []
            for node in nodes:
                for t in node.inputs:
                    if t is not None and t.kind == 'input' and not any(t is known for known in self.inputs):
                        self.inputs.append(t)
        self.outputs = nodes[-1].outputs if outputs is None else outputs


class GoldenModel:
    """One model with its number of runs; `steps` > 1 with `stateful` keeps one interpreter for all of them.

    `tidy` makes outputs repeatable if the operator leaves parts of them uninitialized. `defect` is the reason why the reference
    kernel's own result is wrong: then the optimized kernel's is used, or `formula` computes the correct one from the inputs.
    """

    def __init__(self, operator, name, graphs, steps=1, stateful=False, tidy=None, defect=None, formula=None):
        self.operator, self.name, self.graphs = operator, name, graphs
        self.steps, self.stateful, self.tidy = steps, stateful, tidy
        self.defect, self.formula = defect, formula

    @property
    def path(self):
        return '%s/%s' % (self.operator.lower(), self.name)

    def arithmetic(self):
        """Returns 'integer' if a computed value is quantized, 'hybrid' if only constants are, otherwise 'float'."""
        kind = 'float'
        for graph in self.graphs:
            for node in graph.nodes:
                for t in node.inputs + node.outputs:
                    if t is None or t.quantization is None and t.blocks is None:
                        continue
                    if t.kind != 'constant':
                        return 'integer'
                    if node.operator != 'DEQUANTIZE':
                        kind = 'hybrid'
        return kind


REGISTER = []


class Operator:
    """Collects the models of one operator: `add` for one node, `add_graph` for anything else."""

    used = set()

    def __init__(self, name):
        self.name = name

    def add(self, name, inputs, outputs=None, options=None, version=None, custom_options=None, intermediates=None,
            **model):
        if outputs is None:
            outputs = [Tensor('result', 'float32')]
        if version is None:
            types = [t.dtype for t in inputs + outputs if t is not None and t.quantization is not None]
            version = max([TYPE_VERSIONS.get(t, 1) for t in types] or [1])
            version = min(version, HIGHEST_VERSIONS.get(self.name, version))
        node = Node(self.name, inputs, outputs, options, version, custom_options, intermediates)
        self.add_graph(name, [Graph([node])], **model)

    def add_graph(self, name, graphs, **model):
        model = GoldenModel(self.name, name, graphs, **model)
        if model.path in self.used:
            raise ValueError('there are two models named %s' % model.path)
        self.used.add(model.path)
        REGISTER.append(model)


def operator(*names):
    """Registers a function that adds the models of an operator, once per name: `def models(op): op.add(...)`."""
    def decorate(function):
        for name in names:
            function(Operator(name))
        return function
    return decorate
