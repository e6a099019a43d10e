"""Runs LiteRT's interpreter, with every attempt in a process of its own: a kernel that aborts or hangs affects nothing else."""
import multiprocessing
import os

MODES = {'builtin_ref': 'BUILTIN_REF', 'builtin': 'BUILTIN_WITHOUT_DEFAULT_DELEGATES', 'xnnpack': 'AUTO'}


class Refused(Exception):
    """The interpreter doesn't load the model, or doesn't run it on these values."""

    def __init__(self, reason, is_loaded, is_final=False):
        super().__init__(reason)
        # Whether other values need not be tried, because the interpreter crashed or timed out.
        self.is_loaded, self.is_final = is_loaded, is_final


def run(path, mode, entry, choose, timeout):
    """Returns the interpreter's results for every step.

    entry: an `entries.Entry`; choose: a function from the details of inputs and outputs to a list of steps, each a list of arrays.
    Returns for every step the inputs and outputs as (name, array, quantization).
    """
    context = multiprocessing.get_context('fork')
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(sender, path, mode, entry, choose))
    process.start()
    sender.close()
    is_loaded, is_final, reason = False, True, None
    try:
        while True:
            if not receiver.poll(timeout):
                reason = 'took longer than %g seconds' % timeout
                break
            word, content = receiver.recv()
            if word == 'answer':
                return content
            if word == 'refused':
                is_final, reason = False, content
                break
            is_loaded = True
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()
    raise Refused(reason or 'the interpreter ended with code %s' % process.exitcode, is_loaded, is_final)


def child(sender, path, mode, entry, choose):
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        from ai_edge_litert.interpreter import Interpreter, OpResolverType
        interpreter = Interpreter(model_path=path, num_threads=1, experimental_op_resolver_type=getattr(OpResolverType, MODES[mode]))
        side = SignatureSide(interpreter, entry) if entry.signature else MainSide(interpreter)
        steps = choose(side.inputs(), side.outputs())
        side.load(steps[0])
        sender.send(('loaded', None))
        sender.send(('answer', [side.run(values) for values in steps]))
    except BaseException as error:
        text = str(error).strip() or repr(error)
        sender.send(('refused', text.splitlines()[0][:300]))


class MainSide:
    """The main graph, by index."""

    def __init__(self, interpreter):
        self.interpreter = interpreter

    def inputs(self):
        return self.interpreter.get_input_details()

    def outputs(self):
        return self.interpreter.get_output_details()

    def load(self, values):
        for detail, value in zip(self.inputs(), values):
            if list(detail['shape']) != list(value.shape):
                self.interpreter.resize_tensor_input(detail['index'], value.shape)
        self.interpreter.allocate_tensors()

    def run(self, values):
        details = self.inputs()
        for detail, value in zip(details, values):
            if value.size:
                self.interpreter.set_tensor(detail['index'], value)
        self.interpreter.invoke()
        return ([described(d['name'], d, v) for d, v in zip(details, values)],
                [described(d['name'], d, self.interpreter.get_tensor(d['index'])) for d in self.outputs()])


class SignatureSide:
    """A signature, by name."""

    def __init__(self, interpreter, entry):
        self.entry = entry
        self.runner = interpreter.get_signature_runner(entry.signature)

    def inputs(self):
        details = self.runner.get_input_details()
        return [details[name] for name in self.entry.inputs]

    def outputs(self):
        details = self.runner.get_output_details()
        return [details[name] for name in self.entry.outputs]

    def load(self, values):
        """The runner allocates tensors when it is called."""

    def run(self, values):
        given = self.runner(**dict(zip(self.entry.inputs, values)))
        return ([described(n, d, v) for n, d, v in zip(self.entry.inputs, self.inputs(), values)],
                [described(n, d, given[n]) for n, d in zip(self.entry.outputs, self.outputs())])


def described(name, detail, array):
    import numpy as np
    from golden_models.packing import shortest
    parameters = detail['quantization_parameters']
    return name, np.array(array), {'scales': [shortest(x) for x in parameters['scales']],
                                   'zero_points': [int(x) for x in parameters['zero_points']],
                                   'axis': int(parameters['quantized_dimension'])}
