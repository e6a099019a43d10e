"""The image service of docs/examples/http-service in Python: service.py ENGINE MODEL PORT PROCESSES

ENGINE is litert or mediapipe. Every process classifies as many images concurrently as there are cores divided by the processes, each on one thread with an
engine of its own. Images are decoded by Pillow.
"""
import asyncio
import concurrent.futures
import io
import os
import sys
import threading
import zipfile

import numpy
from PIL import Image
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route
import uvicorn

ENGINE, MODEL, PORT, PROCESSES = os.environ.get('SERVICE', ' '.join(sys.argv[1:5])).split(' ')
THREADS = max(1, (os.cpu_count() or 1) // int(PROCESSES))
COUNT = 5
own = threading.local()


class LiteRT:
    def __init__(self):
        from ai_edge_litert.interpreter import Interpreter
        self.interpreter = Interpreter(MODEL, num_threads=1)
        self.interpreter.allocate_tensors()
        self.input = self.interpreter.get_input_details()[0]
        self.output = self.interpreter.get_output_details()[0]
        with zipfile.ZipFile(MODEL) as files:
            name = next(name for name in files.namelist() if name.endswith('.txt'))
            self.labels = files.read(name).decode().splitlines()

    def classify(self, image):
        _, height, width, _ = self.input['shape']
        pixels = numpy.asarray(image.resize((width, height), Image.Resampling.BILINEAR))[None]
        if self.input['dtype'] == numpy.float32:
            pixels = (pixels.astype(numpy.float32) - 127.5) / 127.5
        self.interpreter.set_tensor(self.input['index'], pixels)
        self.interpreter.invoke()
        scores = self.interpreter.get_tensor(self.output['index'])[0].astype(numpy.float32)
        if self.output['dtype'] != numpy.float32:
            scale, zero = self.output['quantization']
            scores = (scores - zero) * scale
        return [(self.labels[index], int(index), float(scores[index])) for index in numpy.argsort(-scores, kind='stable')[:COUNT]]


class MediaPipe:
    def __init__(self):
        import mediapipe
        from mediapipe.tasks.python import BaseOptions, vision
        self.mediapipe = mediapipe
        self.classifier = vision.ImageClassifier.create_from_options(
            vision.ImageClassifierOptions(base_options=BaseOptions(model_asset_path=MODEL), max_results=COUNT))

    def classify(self, image):
        picture = self.mediapipe.Image(image_format=self.mediapipe.ImageFormat.SRGB, data=numpy.asarray(image))
        found = self.classifier.classify(picture).classifications[0].categories
        return [(category.category_name, category.index, category.score) for category in found]


def classify(body):
    if not hasattr(own, 'engine'):
        own.engine = {'litert': LiteRT, 'mediapipe': MediaPipe}[ENGINE]()
    return own.engine.classify(Image.open(io.BytesIO(body)).convert('RGB'))


pool = concurrent.futures.ThreadPoolExecutor(max_workers=THREADS)


async def answer(request):
    body = await request.body()
    try:
        found = await asyncio.get_running_loop().run_in_executor(pool, classify, body)
    except (OSError, ValueError) as error:
        return JSONResponse({'error': str(error)}, status_code=422)
    return JSONResponse({'categories': [{'name': name, 'index': index, 'score': score} for name, index, score in found]})


async def health(request):
    return JSONResponse({'status': 'ok'})


app = Starlette(routes=[Route('/classify', answer, methods=['POST']), Route('/health', health)])

if __name__ == '__main__':
    # Other processes import this file and read the arguments from the environment.
    os.environ['SERVICE'] = ' '.join(sys.argv[1:5])
    uvicorn.run('service:app', host='127.0.0.1', port=int(PORT), workers=int(PROCESSES), log_level='error', app_dir=os.path.dirname(os.path.abspath(__file__)))
