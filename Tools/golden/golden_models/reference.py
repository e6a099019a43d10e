"""Runs models with the reference kernels, and with XNNPACK for the accepted difference of fast arithmetic.

Every run happens in a process of its own, so that a kernel that aborts affects nothing else.
"""
import multiprocessing
import os

import numpy as np

from golden_models.packing import shortest

# Models are tiny: one that takes longer than this is assumed to hang.
SECONDS = 15
MODES = {'builtin_ref': 'BUILTIN_REF', 'builtin': 'BUILTIN_WITHOUT_DEFAULT_DELEGATES', 'xnnpack': 'AUTO'}


class Refused(Exception):
    """The interpreter doesn't run this combination."""


def run(model_bytes, mode, steps, stateful, seconds=SECONDS):
    """Returns for every step the inputs and outputs as (name, array, quantization), and the outputs' shapes before the run.

    `steps` is a list of lists of input arrays, or a function that returns it for the interpreter's details of the inputs.
    """
    context = multiprocessing.get_context('fork')
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(sender, model_bytes, mode, steps, stateful))
    process.start()
    sender.close()
    try:
        if not receiver.poll(seconds):
            process.kill()
            process.join()
            raise Refused('the interpreter took more than %d seconds' % seconds)
        ok, answer = receiver.recv()
    except EOFError:
        process.join()
        ok, answer = False, 'the interpreter ended with code %s' % process.exitcode
    process.join()
    if not ok:
        raise Refused(answer)
    return answer


def child(sender, model_bytes, mode, steps, stateful):
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    try:
        sender.send((True, list(steps_of(model_bytes, mode, steps, stateful))))
    except Exception as error:
        text = str(error).strip() or repr(error)
        sender.send((False, text.splitlines()[0][:300]))


def steps_of(model_bytes, mode, steps, stateful):
    interpreter = None
    if callable(steps):
        steps = steps(new_interpreter(model_bytes, mode).get_input_details())
    for values in steps:
        if interpreter is None or not stateful:
            interpreter = open_interpreter(model_bytes, mode, values)
            planned = [list(d['shape']) for d in interpreter.get_output_details()]
        for detail, value in zip(interpreter.get_input_details(), values):
            if value.size:
                interpreter.set_tensor(detail['index'], value)
        interpreter.invoke()
        yield ([described(d, v) for d, v in zip(interpreter.get_input_details(), values)],
               [described(d, np.array(interpreter.get_tensor(d['index'])))
                for d in interpreter.get_output_details()],
               planned)


def new_interpreter(model_bytes, mode):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    return Interpreter(model_content=model_bytes, num_threads=1,
                       experimental_op_resolver_type=getattr(OpResolverType, MODES[mode]))


def open_interpreter(model_bytes, mode, values):
    interpreter = new_interpreter(model_bytes, mode)
    for detail, value in zip(interpreter.get_input_details(), values):
        if list(detail['shape']) != list(value.shape):
            interpreter.resize_tensor_input(detail['index'], value.shape)
    interpreter.allocate_tensors()
    return interpreter


def described(detail, array):
    parameters = detail['quantization_parameters']
    return (detail['name'], array,
            {'scales': [shortest(x) for x in parameters['scales']],
             'zero_points': [int(x) for x in parameters['zero_points']],
             'axis': int(parameters['quantized_dimension'])})
