#!/usr/bin/env python3
"""The equivalent of swiftlet-worker with LiteRT in Python: reads paths from standard input and prints a JSON line for each.

    litert_worker.py MODEL [MEAN DEVIATION] < list.txt

For classifiers with one image input and one output. The image is stretched to the model's input size. MEAN and DEVIATION
are for float models. Runs on one thread, because each core has a worker of its own.
"""

import json
import sys

import numpy
from ai_edge_litert.interpreter import Interpreter
from PIL import Image


def main():
    mean, deviation = (float(sys.argv[2]), float(sys.argv[3])) if len(sys.argv) > 3 else (127.5, 127.5)
    interpreter = Interpreter(sys.argv[1], num_threads=1)
    interpreter.allocate_tensors()
    taken, given = interpreter.get_input_details()[0], interpreter.get_output_details()[0]
    _, height, width, _ = taken["shape"]
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            with Image.open(path) as image:
                pixels = numpy.asarray(image.convert("RGB").resize((width, height), Image.Resampling.BILINEAR))
        except Exception as error:
            print(json.dumps({"image": path, "error": str(error)}), flush=True)
            continue
        if taken["dtype"] == numpy.float32:
            pixels = (pixels.astype(numpy.float32) - mean) / deviation
        elif taken["dtype"] == numpy.int8:
            pixels = (pixels.astype(numpy.int16) - 128).astype(numpy.int8)
        interpreter.set_tensor(taken["index"], pixels[None])
        interpreter.invoke()
        scores = interpreter.get_tensor(given["index"])[0].astype(numpy.float32).ravel()
        scale, zero = given["quantization"]
        if scale:
            scores = (scores - zero) * scale
        best = int(scores.argmax())
        categories = [{"index": best, "score": float(scores[best]), "name": None, "display_name": None}]
        print(json.dumps({"image": path, "classifications": [{"head_index": 0, "head_name": None, "categories": categories}]}), flush=True)


main()
