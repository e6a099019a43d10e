"""The peer's side of a comparison: runs an engine on request of the benchmark program, and sleeps otherwise.

    PYTHON Tools/peers/worker.py litert|openvino|mnn|mediapipe

Requests and responses are JSON, one per line, on standard input and output. The first output line announces that the imports are done.
"""
import gc
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

# NumPy must not use several threads; this must be set before it is imported.
os.environ['OPENBLAS_NUM_THREADS'] = '1'
os.environ['GLOG_minloglevel'] = '2'
os.environ['TF_CPP_MIN_LOG_LEVEL'] = '2'


# The largest difference that is reported. JSON has no infinity.
LARGEST_DIFFERENCE = 1e6


def main():
    engine = sys.argv[1]
    # Libraries write to these streams, which must not interfere with the protocol.
    answers = os.fdopen(os.dup(1), 'w')
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    try:
        peer = ENGINES[engine]()
        answer = {'version': peer.version}
    except Exception as error:
        answer = {'error': one_line(error)}
    tell(answers, answer)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = load(peer, request) if request['do'] == 'load' else run(peer, request)
        except Exception as error:
            answer = {'error': one_line(error)}
        tell(answers, answer)


def tell(answers, answer):
    answers.write(json.dumps(answer) + '\n')
    answers.flush()


def one_line(error):
    text = str(error).strip() or repr(error)
    return text.splitlines()[0][:300]


def load(peer, request):
    peer.convert(request)
    reset_peak()
    before = status('VmHWM')
    start = time.perf_counter_ns()
    peer.load(request)
    loaded = time.perf_counter_ns()
    peer.prepare(request)
    prepared = time.perf_counter_ns()
    peer.run()
    ran = time.perf_counter_ns()
    memory = (status('VmHWM') - before) * 1024
    return {'load_ms': (loaded - start) / 1e6, 'first_ms': (ran - prepared) / 1e6, 'memory_bytes': memory,
            'difference': difference(peer, request['outputs']) if request.get('outputs') else None}


def difference(peer, expected):
    """Returns the largest difference of the last run's outputs from the expected ones, relative to the largest expected value of the same output."""
    numpy = peer.numpy
    largest = 0
    names, found = peer.outputs()
    # An engine may ignore what it cannot run, and then return nothing or other shapes.
    if len(found) != len(names):
        raise ValueError(f'a run has {len(found)} outputs instead of {len(names)}')
    for result, wanted in zip(found, order(names, expected, 'outputs')):
        if not hasattr(numpy, wanted['type']):
            continue  # NumPy has no bfloat16, for example.
        truth = values(numpy, wanted)
        if result.size != truth.size:
            raise ValueError(f"the output {wanted['name']} has the shape {list(result.shape)} instead of {wanted['shape']}")
        exact = numpy.issubdtype(result.dtype, numpy.integer)
        quantized = wanted.get('scale') and numpy.issubdtype(truth.dtype, numpy.integer)
        result, truth = result.ravel().astype(float), truth.ravel().astype(float)
        if quantized:
            truth = (truth - wanted['zero_point']) * wanted['scale']
            # Engines give quantized outputs as integers or as numbers.
            result = (result - wanted['zero_point']) * wanted['scale'] if exact else result
        same = (result == truth) | (numpy.isnan(result) & numpy.isnan(truth))
        if not same.all():
            distance = numpy.abs(result - truth)[~same].max() / max(numpy.abs(truth[numpy.isfinite(truth)]).max(initial=0), 1e-6)
            largest = max(largest, distance if distance < LARGEST_DIFFERENCE else LARGEST_DIFFERENCE)
    return float(largest)


def run(peer, request):
    clock, once, times = time.perf_counter_ns, peer.run, []
    gc.disable()
    for _ in range(request['warmup']):
        once()
    for _ in range(request['count']):
        start = clock()
        once()
        times.append(clock() - start)
    gc.enable()
    wait_until_idle()
    return {'times_ms': [t / 1e6 for t in times]}


def wait_until_idle():
    """Waits until all threads are idle: the threads of a pool can poll for new work for a while before they sleep, and would take a CPU from the other
    engine."""
    for _ in range(100):
        before = time.process_time_ns()
        time.sleep(0.002)
        if time.process_time_ns() - before < 300_000:
            return


def reset_peak():
    try:
        with open('/proc/self/clear_refs', 'w') as file:
            file.write('5')
    except OSError:
        pass


def status(key):
    """Returns a line of /proc/self/status in KiB, or the peak as counted by the C library if there is no such file."""
    try:
        with open('/proc/self/status') as file:
            for line in file:
                if line.startswith(key + ':'):
                    return int(line.split()[1])
    except OSError:
        pass
    import resource
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == 'darwin' else peak


class Peer:
    """An engine. `convert` makes the file that `load` reads, which isn't part of the load time; `prepare` sets the inputs; `run` runs once. `outputs` returns
    the names that each output has and the values."""

    def convert(self, request):
        pass


class LiteRT(Peer):
    """The interpreter with its default resolver, which uses XNNPACK wherever possible."""

    def __init__(self):
        import ai_edge_litert
        import numpy
        from ai_edge_litert.interpreter import Interpreter
        self.numpy, self.interpreter_type = numpy, Interpreter
        self.version = 'ai-edge-litert ' + version_of('ai-edge-litert')

    def load(self, request):
        self.interpreter = None
        interpreter = self.interpreter_type(model_path=request['model'], num_threads=request['threads'])
        for detail, wanted in zip(interpreter.get_input_details(), request['inputs']):
            if list(detail['shape']) != wanted['shape']:
                interpreter.resize_tensor_input(detail['index'], wanted['shape'])
        interpreter.allocate_tensors()
        self.interpreter, self.run = interpreter, interpreter.invoke

    def prepare(self, request):
        for detail, wanted in zip(self.interpreter.get_input_details(), request['inputs']):
            data = self.numpy.fromfile(wanted['file'], dtype=detail['dtype'])
            self.interpreter.set_tensor(detail['index'], data.reshape(wanted['shape']))

    def outputs(self):
        details = self.interpreter.get_output_details()
        return [set()] * len(details), [self.interpreter.get_tensor(detail['index']) for detail in details]


class OpenVINO(Peer):
    """The CPU plugin, which reads .tflite files itself, with static shapes, one stream, and float32 arithmetic wherever a model isn't quantized."""

    def __init__(self):
        import numpy
        import openvino
        self.numpy, self.openvino = numpy, openvino
        self.core = openvino.Core()
        self.version = 'openvino ' + version_of('openvino')

    def load(self, request):
        try:
            self.compile(request)
        except RuntimeError as error:
            # The reason follows the places in OpenVINO's sources.
            raise ValueError(str(error).strip().splitlines()[-1]) from error

    def compile(self, request):
        self.call = self.run = None
        model = self.core.read_model(request['model'])
        self.order = order([port.names for port in model.inputs], request['inputs'])
        model.reshape({port: wanted['shape'] for port, wanted in zip(model.inputs, self.order)})
        self.call = self.core.compile_model(model, 'CPU', {
            'PERFORMANCE_HINT': 'LATENCY', 'NUM_STREAMS': 1, 'INFERENCE_NUM_THREADS': request['threads'],
            'INFERENCE_PRECISION_HINT': 'f32'}).create_infer_request()

    def prepare(self, request):
        for port, wanted in zip(self.call.model_inputs, self.order):
            data = values(self.numpy, wanted).astype(port.element_type.to_dtype(), copy=False)
            self.call.set_tensor(port, self.openvino.Tensor(self.numpy.ascontiguousarray(data)))
        # Without shared outputs, every run would copy them.
        self.run = lambda: self.call.infer(share_outputs=True)

    def outputs(self):
        ports = self.call.model_outputs
        return [port.names for port in ports], [self.call.get_tensor(port).data for port in ports]


class MNN(Peer):
    """The CPU backend with float32 arithmetic wherever a model isn't quantized."""

    # The package's script `mnnconvert` calls the same function, but installs packages and reports to a server.
    CONVERTER = 'import _tools, sys; _tools.mnnconvert(sys.argv)'
    TIMEOUT = 300

    def __init__(self):
        import MNN as mnn
        import numpy
        from MNN import expr, nn
        self.numpy, self.expr, self.nn = numpy, expr, nn
        self.folder = tempfile.TemporaryDirectory()
        self.version = 'MNN ' + mnn.version()

    def convert(self, request):
        self.file = os.path.join(self.folder.name, 'model.mnn')
        if os.path.exists(self.file):
            os.remove(self.file)
        done = subprocess.run([sys.executable, '-c', self.CONVERTER, '-f', 'TFLITE', '--modelFile', request['model'], '--MNNModel', self.file, '--bizCode', 'swiftlet'],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=self.TIMEOUT)
        if done.returncode != 0 or not os.path.exists(self.file):
            raise ValueError('the converter ' + self.reason(done.stdout.decode(errors='replace'), done.returncode))

    @staticmethod
    def reason(text, status):
        """Returns why the converter failed, from what it printed and its exit status."""
        missing = re.findall(r'NOT_SUPPORTED_OP: \[ (.*?) \]', text)
        if missing:
            return "doesn't support " + ', '.join(missing)
        if status < 0:
            return 'was ended by ' + signal.Signals(-status).name
        lines = [line for line in text.splitlines() if 'error' in line.lower() or 'failed' in line.lower()]
        return 'failed: ' + (lines[0] if lines else f'status {status}')

    def load(self, request):
        self.module = self.run = None
        runtime = self.nn.create_runtime_manager(({'backend': 'CPU', 'numThread': request['threads'], 'precision': 'high'},))
        self.module = self.nn.load_module_from_file(self.file, [], [], runtime_manager=runtime)

    def prepare(self, request):
        info = self.module.get_info()
        inputs = [self.variable(declared.dtype, values(self.numpy, wanted))
                  for declared, wanted in zip(info['inputs'], order([{name} for name in info['inputNames']], request['inputs']))]
        module = self.module
        self.run = lambda: module.forward(inputs)
        self.names = [{name} for name in info['outputNames']]

    def outputs(self):
        return self.names, [self.numpy.array(result.read()) for result in self.run()]

    def variable(self, dtype, data):
        """Returns an input. Types that Python cannot write are converted by MNN, before the runs."""
        expr, numpy = self.expr, self.numpy
        written = {expr.float: (expr.float, numpy.float32), expr.uint8: (expr.uint8, numpy.uint8)}
        kind, type_of_data = written.get(dtype, (expr.int, numpy.int32))
        variable = expr.placeholder(list(data.shape), expr.NHWC, kind)
        variable.write(numpy.ascontiguousarray(data.astype(type_of_data, copy=False)))
        if kind == dtype:
            return variable
        variable = expr.cast(variable, dtype)
        variable.fix_as_const()
        return variable


def order(names, wanted, kind='inputs'):
    """Returns the tensors of a request in an engine's order, given the names of each of its own. Engines that rename tensors keep their order."""
    if len(names) != len(wanted):
        raise ValueError(f'the model has {len(names)} {kind} instead of {len(wanted)}')
    found = [[tensor for tensor in wanted if tensor['name'] in group] for group in names]
    return [group[0] for group in found] if all(len(group) == 1 for group in found) else wanted


def values(numpy, wanted):
    """Returns the values of a tensor of a request."""
    return numpy.fromfile(wanted['file'], dtype=wanted['type']).reshape(wanted['shape'])


# The constructors of landmark tasks, and their options besides the model and the running mode.
LANDMARKS = {
    'hands': lambda vision: (vision.HandLandmarker.create_from_options, vision.HandLandmarkerOptions, {}),
    'gestures': lambda vision: (vision.GestureRecognizer.create_from_options, vision.GestureRecognizerOptions, {}),
    'face-landmarks': lambda vision: (vision.FaceLandmarker.create_from_options, vision.FaceLandmarkerOptions, {}),
    'face-blendshapes': lambda vision: (
        vision.FaceLandmarker.create_from_options, vision.FaceLandmarkerOptions,
        {'output_face_blendshapes': True, 'output_facial_transformation_matrixes': True}),
    'poses': lambda vision: (vision.PoseLandmarker.create_from_options, vision.PoseLandmarkerOptions, {}),
    'pose-masks': lambda vision: (
        vision.PoseLandmarker.create_from_options, vision.PoseLandmarkerOptions, {'output_segmentation_masks': True}),
    'holistic': lambda vision: (
        vision.HolisticLandmarker.create_from_options, vision.HolisticLandmarkerOptions, {}),
}


class MediaPipe(Peer):
    """A task on one image, text, or audio clip."""

    def __init__(self):
        import mediapipe
        import numpy
        from mediapipe.tasks import python as tasks
        from mediapipe.tasks.python import audio, text, vision
        from PIL import Image
        self.audio, self.text = audio, text
        self.mediapipe, self.numpy, self.tasks, self.vision, self.pictures = mediapipe, numpy, tasks, vision, Image
        self.version = 'mediapipe ' + version_of('mediapipe')
        self.task = None

    def load(self, request):
        if self.task is not None:
            self.task.close()
            self.task = None
        vision, kind = self.vision, request['task']
        self.kind = kind
        self.is_tracking = kind.endswith('-tracking')
        kind = kind.removesuffix('-tracking')
        mode = vision.RunningMode.VIDEO if self.is_tracking else vision.RunningMode.IMAGE
        base = self.tasks.BaseOptions(model_asset_path=request['model'])
        if kind == 'faces':
            self.task = vision.FaceDetector.create_from_options(vision.FaceDetectorOptions(base_options=base))
            self.call = self.task.detect
        elif kind == 'objects':
            self.task = vision.ObjectDetector.create_from_options(
                vision.ObjectDetectorOptions(base_options=base, score_threshold=request['score_threshold']))
            self.call = self.task.detect
        elif kind in ('category-mask', 'confidence-masks'):
            self.task = vision.ImageSegmenter.create_from_options(vision.ImageSegmenterOptions(
                base_options=base, output_category_mask=kind == 'category-mask',
                output_confidence_masks=kind == 'confidence-masks'))
            self.call = self.task.segment
        elif kind == 'embedding':
            self.task = vision.ImageEmbedder.create_from_options(vision.ImageEmbedderOptions(base_options=base))
            self.call = self.task.embed
        elif kind == 'classification':
            self.task = vision.ImageClassifier.create_from_options(
                vision.ImageClassifierOptions(base_options=base, max_results=request['max_results']))
            self.call = self.task.classify
        elif kind == 'text-classification':
            self.task = self.text.TextClassifier.create_from_options(
                self.text.TextClassifierOptions(base_options=base, max_results=request['max_results']))
            self.call = self.task.classify
        elif kind == 'text-embedding':
            self.task = self.text.TextEmbedder.create_from_options(self.text.TextEmbedderOptions(base_options=base))
            self.call = self.task.embed
        elif kind == 'audio-classification':
            self.task = self.audio.AudioClassifier.create_from_options(
                self.audio.AudioClassifierOptions(base_options=base, max_results=request['max_results']))
            self.call = self.task.classify
        elif kind == 'interactive-masks':
            self.task = vision.InteractiveSegmenterLegacy.create_from_options(
                vision.InteractiveSegmenterLegacyOptions(base_options=base))
            self.call = self.task.segment
        elif kind in LANDMARKS:
            create, options, more = LANDMARKS[kind](vision)
            self.task = create(options(base_options=base, running_mode=mode, **more))
            name = 'recognize' if kind == 'gestures' else 'detect'
            self.call = getattr(self.task, name + '_for_video' if self.is_tracking else name)
        else:
            raise ValueError('no task is called %r' % kind)

    def prepare(self, request):
        if self.kind.startswith('text-'):
            self.run = lambda: self.call(request['picture'])
            return
        if self.kind == 'audio-classification':
            sound = self.sound(request['picture'])
            self.run = lambda: self.call(sound)
            return
        pixels = self.numpy.asarray(self.pictures.open(request['picture']).convert('RGB'))
        picture = self.mediapipe.Image(
            image_format=self.mediapipe.ImageFormat.SRGB, data=self.numpy.ascontiguousarray(pixels))
        if self.kind == 'interactive-masks':
            middle = self.middle()
            self.run = lambda: self.call(picture, middle)
        elif not self.is_tracking:
            self.run = lambda: self.call(picture)
        else:
            times = itertools.count(0, 33)
            self.run = lambda: self.call(picture, next(times))

    def middle(self):
        from mediapipe.tasks.python.components.containers import keypoint
        region = self.vision.InteractiveSegmenterLegacyRegionOfInterest
        return region(format=region.Format.KEYPOINT, keypoint=keypoint.NormalizedKeypoint(x=0.5, y=0.5))

    def sound(self, path):
        """Returns a file with 16 bits and one channel."""
        import wave
        from mediapipe.tasks.python.components.containers import audio_data
        with wave.open(path) as file:
            samples = self.numpy.frombuffer(file.readframes(file.getnframes()), self.numpy.int16)
            return audio_data.AudioData.create_from_array(samples.astype(self.numpy.float32) / 32768, file.getframerate())


ENGINES = {'litert': LiteRT, 'openvino': OpenVINO, 'mnn': MNN, 'mediapipe': MediaPipe}


def version_of(package):
    from importlib.metadata import version
    return version(package)


if __name__ == '__main__':
    main()
