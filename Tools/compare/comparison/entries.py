"""The entry points of a model file."""


class Entry:
    """The main graph, or a signature. `inputs` and `outputs` are names, in the file's order."""

    def __init__(self, signature, inputs, outputs, has_unknown_dimensions):
        self.signature, self.inputs, self.outputs = signature, inputs, outputs
        self.has_unknown_dimensions = has_unknown_dimensions


def entries(content):
    """Returns the main graph, followed by the signatures that differ from it."""
    from ai_edge_litert import schema_py_generated as schema
    model = schema.Model.GetRootAs(content, 0)
    main = model.Subgraphs(0)
    found = [Entry(None, [], [], any(is_open(main.Tensors(main.Inputs(i))) for i in range(main.InputsLength())))]
    for i in range(model.SignatureDefsLength()):
        signature = model.SignatureDefs(i)
        if model.SignatureDefsLength() > 1 or signature.SubgraphIndex() != 0:
            found.append(Entry(signature.SignatureKey().decode(),
                               [signature.Inputs(j).Name().decode() for j in range(signature.InputsLength())],
                               [signature.Outputs(j).Name().decode() for j in range(signature.OutputsLength())], False))
    return found


def is_open(tensor):
    return any(tensor.ShapeSignature(i) < 0 for i in range(tensor.ShapeSignatureLength()))
