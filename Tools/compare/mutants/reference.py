"""LiteRT's side: runs many mutants in consecutive child processes. A kernel that aborts or hangs only loses its own mutant."""
import multiprocessing
import os
import re

from comparison.interpreter import MODES, MainSide, SignatureSide, described  # noqa: F401
from comparison.entries import Entry

SECONDS = 15
NO_SUCH_VERSION = re.compile(r"Didn't find op for builtin opcode '(\w+)' version '(\d+)'")
RAN, REFUSED, ENDED = 'ran', 'refused', 'ended'


class Answer:
    """The result of one resolver for one mutant: the outputs of every step, or the reason why there are none."""

    def __init__(self, kind, steps=None, reason=None, is_loaded=False):
        self.kind, self.steps, self.reason, self.is_loaded = kind, steps, reason, is_loaded


class Job:
    """The data of a mutant that a child process needs."""

    def __init__(self, mutant):
        self.content, self.steps, self.is_stateful = mutant.content, mutant.steps, mutant.is_stateful
        self.entry = None
        if mutant.signature:
            self.entry = Entry(mutant.signature.signatureKey.decode(), [t.name.decode() for t in mutant.signature.inputs],
                               [t.name.decode() for t in mutant.signature.outputs], False)


def run_all(jobs, modes=tuple(MODES)):
    """Returns for every job a dictionary of results by mode."""
    work = [(position, mode) for position in range(len(jobs)) for mode in modes]
    answers = [{} for _ in jobs]
    done = 0
    while done < len(work):
        done += run_some(jobs, work[done:], answers)
    return answers


def run_some(jobs, work, answers):
    """Runs as much of the work as one child can finish. The job that terminates it counts as done."""
    context = multiprocessing.get_context('fork')
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=child, args=(sender, jobs, work))
    process.start()
    sender.close()
    done, reason = 0, None
    try:
        while done < len(work):
            if not receiver.poll(SECONDS):
                reason = 'took longer than %d seconds' % SECONDS
                break
            position, mode = work[done]
            answers[position][mode] = receiver.recv()
            done += 1
    except EOFError:
        pass
    finally:
        process.kill()
        process.join()
    if done < len(work):
        position, mode = work[done]
        answers[position][mode] = Answer(ENDED, reason=reason or 'the process ended with code %s' % process.exitcode)
        done += 1
    return done


def child(sender, jobs, work):
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    for position, mode in work:
        sender.send(attempt(jobs[position], mode))


def attempt(job, mode):
    content, state = job.content, {}
    while True:
        try:
            return Answer(RAN, steps_of(job, content, mode, state))
        except Exception as error:
            reason = (str(error).strip() or repr(error)).splitlines()[0][:300]
        missing = NO_SUCH_VERSION.search(reason)
        if mode != 'builtin_ref' or not missing or int(missing.group(2)) == 1:
            return Answer(REFUSED, reason=reason, is_loaded='loaded' in state)
        # The reference resolver supports some kernels only in an older version.
        content = with_version(content, missing.group(1), int(missing.group(2)) - 1)


def with_version(content, name, version):
    from .model_file import OPERATOR_NAMES, read_model, write_model
    model = read_model(content)
    for code in model.operatorCodes:
        if OPERATOR_NAMES[max(code.builtinCode, code.deprecatedBuiltinCode)] == name:
            code.version = version
    return write_model(model)


def steps_of(job, content, mode, state):
    from ai_edge_litert.interpreter import Interpreter, OpResolverType
    side, results = None, []
    for values in job.steps:
        if side is None or not job.is_stateful:
            interpreter = Interpreter(model_content=content, num_threads=1, experimental_op_resolver_type=getattr(OpResolverType, MODES[mode]))
            side = SignatureSide(interpreter, job.entry) if job.entry else MainSide(interpreter)
            side.load(values)
            state['loaded'] = True
        results.append(side.run(values))
    return results
