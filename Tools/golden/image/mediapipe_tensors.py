"""Prints the tensors that MediaPipe computes from images before it runs a model, as the digests in ImageToTensorGoldenTests.swift.

MediaPipe doesn't expose its input tensors. But a task with a model whose output is its input does:

- ImageEmbedder with a model that only reshapes returns the stretched tensor as its embedding, byte for byte.
- FaceDetector with a model that copies bytes of its input into the keypoints of 896 boxes returns them as
  coordinates, from which the letterboxed tensor is reassembled. Five models copy one part each.

Needs mediapipe (recorded with 1.2.2, the same with 1.2.3, x86-64 Linux), ai-edge-litert, flatbuffers and numpy.

    python3 mediapipe_tensors.py
"""

import math

import flatbuffers
import mediapipe as mp
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from mediapipe.tasks.python import vision
from mediapipe.tasks.python.components.containers.rect import RectF
from mediapipe.tasks.python.core.base_options import BaseOptions
from mediapipe.tasks.python.vision.core.image_processing_options import ImageProcessingOptions

BOXES = 896
VALUES = 12
SIDE = 128
TENSOR = SIDE * SIDE * 3


class Model:
    """A minimal model builder."""

    def __init__(self):
        self.graph = schema.SubGraphT()
        self.graph.tensors, self.graph.operators = [], []
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.subgraphs = [self.graph]
        self.model.buffers = [schema.BufferT()]
        self.model.operatorCodes = []

    def tensor(self, shape, kind, data=None, scale=None):
        tensor = schema.TensorT()
        tensor.name = f"t{len(self.graph.tensors)}".encode()
        tensor.shape, tensor.type, tensor.buffer = list(shape), kind, 0
        if data is not None:
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(data.tobytes(), np.uint8)
            self.model.buffers.append(buffer)
            tensor.buffer = len(self.model.buffers) - 1
        if scale is not None:
            tensor.quantization = schema.QuantizationParametersT()
            tensor.quantization.scale, tensor.quantization.zeroPoint = [scale], [0]
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def constant(self, array):
        kind = schema.TensorType.INT32 if array.dtype == np.int32 else schema.TensorType.FLOAT32
        return self.tensor(array.shape, kind, array)

    def add(self, name, inputs, shape, options=None, kind=schema.TensorType.FLOAT32, scale=None):
        code = schema.OperatorCodeT()
        code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, name)
        code.version = 1
        self.model.operatorCodes.append(code)
        operator = schema.OperatorT()
        operator.opcodeIndex = len(self.model.operatorCodes) - 1
        operator.inputs, operator.outputs = inputs, [self.tensor(shape, kind, scale=scale)]
        if options is not None:
            operator.builtinOptions = options
            operator.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__[:-1])
        self.graph.operators.append(operator)
        return operator.outputs[0]

    def reshape(self, value, shape, **options):
        target = self.constant(np.array(shape, np.int32))
        return self.add("RESHAPE", [value, target], shape, schema.ReshapeOptionsT(), **options)

    def slice(self, value, start, count):
        bounds = [self.constant(np.array([v], np.int32)) for v in (start, count)]
        return self.add("SLICE", [value, *bounds], [count], schema.SliceOptionsT())

    def bytes(self, inputs, outputs):
        self.graph.inputs, self.graph.outputs = inputs, outputs
        builder = flatbuffers.Builder(1024)
        builder.Finish(self.model.Pack(builder), b"TFL3")
        return bytes(builder.Output())


def pass_through(width, height):
    model = Model()
    image = model.tensor([1, height, width, 3], schema.TensorType.UINT8, scale=1.0)
    output = model.reshape(image, [1, width * height * 3], kind=schema.TensorType.UINT8, scale=1.0)
    return model.bytes([image], [output])


def key_points(start):
    model = Model()
    image = model.tensor([1, SIDE, SIDE, 3], schema.TensorType.UINT8, scale=1.0)
    cast = schema.CastOptionsT()
    cast.inDataType, cast.outDataType = schema.TensorType.UINT8, schema.TensorType.FLOAT32
    values = model.reshape(model.add("CAST", [image], [1, SIDE, SIDE, 3], cast), [TENSOR])
    points = model.reshape(model.slice(values, start, BOXES * VALUES), [1, BOXES, VALUES])
    # Boxes that differ enough to survive non-maximum suppression, and scores that keep their order.
    sizes = np.zeros((1, BOXES, 4), np.float32)
    sizes[0, :, 2:] = [[8 + 3 * (i % 2 if i < 512 else (i - 512) % 6)] * 2 for i in range(BOXES)]
    concatenation = schema.ConcatenationOptionsT()
    concatenation.axis = 2
    boxes = model.add("CONCATENATION", [model.constant(sizes), points], [1, BOXES, 16], concatenation)
    nothing = model.add(
        "MUL", [model.slice(values, 0, BOXES), model.constant(np.zeros(1, np.float32))], [BOXES], schema.MulOptionsT())
    falling = model.constant(np.linspace(4, -3, BOXES).astype(np.float32))
    scores = model.reshape(model.add("ADD", [nothing, falling], [BOXES], schema.AddOptionsT()), [1, BOXES, 1])
    return model.bytes([image], [boxes, scores])


def stretched(image, width, height, region, degrees):
    options = vision.ImageEmbedderOptions(base_options=BaseOptions(model_asset_buffer=pass_through(width, height)))
    with vision.ImageEmbedder.create_from_options(options) as task:
        rect = region and RectF(left=region[0], top=region[1], right=region[2], bottom=region[3])
        result = task.embed(
            mp.Image(image_format=mp.ImageFormat.SRGB, data=image),
            ImageProcessingOptions(region_of_interest=rect, rotation_degrees=degrees))
    return np.array(result.embeddings[0].embedding).astype(np.uint8)


def letterboxed(image, degrees):
    height, width = image.shape[:2]
    # The transform from the tensor to the image, which is inverted: a rotated square around the image.
    side = max(width, height)
    cosine, sine = math.cos(-math.radians(degrees)), math.sin(-math.radians(degrees))
    forward = np.array([
        [side * cosine / width, -side * sine / width, (width - side * cosine + side * sine) / 2 / width],
        [side * sine / height, side * cosine / height, (height - side * sine - side * cosine) / 2 / height],
        [0, 0, 1],
    ])
    backward = np.linalg.inv(forward)
    anchors = [((x + 0.5) / 16, (y + 0.5) / 16) for y in range(16) for x in range(16) for _ in range(2)]
    anchors += [((x + 0.5) / 8, (y + 0.5) / 8) for y in range(8) for x in range(8) for _ in range(6)]
    tensor = np.zeros(TENSOR)
    for start in (min(i * BOXES * VALUES, TENSOR - BOXES * VALUES) for i in range(5)):
        options = vision.FaceDetectorOptions(
            base_options=BaseOptions(model_asset_buffer=key_points(start)), min_detection_confidence=0.0,
            min_suppression_threshold=0.99)
        with vision.FaceDetector.create_from_options(options) as task:
            result = task.detect(
                mp.Image(image_format=mp.ImageFormat.SRGB, data=image), ImageProcessingOptions(rotation_degrees=degrees))
        assert len(result.detections) == BOXES
        for box, detection in enumerate(result.detections):
            for index, point in enumerate(detection.keypoints):
                x, y, _ = backward @ [point.x, point.y, 1]
                place = start + box * VALUES + 2 * index
                tensor[place] = (x - anchors[box][0]) * SIDE
                tensor[place + 1] = (y - anchors[box][1]) * SIDE
    assert np.abs(tensor - np.rint(tensor)).max() < 0.1
    return np.rint(tensor).astype(np.uint8)


def pattern(width, height):
    """Returns the same image as TestImages.pattern in the tests."""
    x, y, channel = np.arange(width)[None, :, None], np.arange(height)[:, None, None], np.arange(3)[None, None, :]
    return ((7 * x + 13 * y + 50 * channel) ^ (x * y // 8)).astype(np.uint8)


def digest(tensor):
    value = 0xCBF29CE484222325
    for byte in tensor.tobytes():
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return f"0x{value:016X}"


def main():
    orientations = {0: ".up", 90: ".right", 180: ".down", -90: ".left"}
    for width, height in ((61, 47), (202, 150)):
        image = np.ascontiguousarray(pattern(width, height))
        for size in ((8, 8), (32, 24), (128, 128)):
            for region in (None, (0.1, 0.2, 0.7, 0.9)):
                for degrees, name in orientations.items():
                    print(f"stretched {width}x{height} to {size[0]}x{size[1]}", region or "whole", name,
                          digest(stretched(image, *size, region, degrees)))
        for degrees, name in orientations.items():
            print(f"letterboxed {width}x{height} to {SIDE}x{SIDE} whole", name, digest(letterboxed(image, degrees)))


main()
