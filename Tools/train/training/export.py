"""Exports networks as .tflite files, in float32 and in int8."""
import numpy as np
import tensorflow as tf
from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2

from training import model_file
from training.task import Task

# The number of examples that calibrate the ranges of int8 files.
CALIBRATION = 400


def exported(task: Task, network: tf.keras.Model, examples: np.ndarray | None = None) -> bytes:
    """Returns the file of a network: float32, or int8 with ranges from training examples if they are given.

    The int8 file has byte inputs if the task's inputs can be bytes; its weights have a scale per channel. Interface tensors get the task's names, in the task's order.
    """
    @tf.function(input_signature=[task.specification()])
    def run(example):
        # A network with a single output returns it directly instead of in a list.
        return tf.nest.flatten(network(example, training=False))[:len(task.OUTPUTS)]

    # If variables are left in the graph, the calibrator of int8 ranges fails.
    converter = tf.lite.TFLiteConverter.from_concrete_functions([convert_variables_to_constants_v2(run.get_concrete_function())])
    if examples is not None:
        chosen = examples[np.linspace(0, len(examples) - 1, CALIBRATION).astype(int)]
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([task.real(example)[None]] for example in chosen)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = tf.uint8 if task.QUANTIZED_INPUTS else tf.float32
        converter.inference_output_type = tf.uint8 if task.QUANTIZED_OUTPUTS else tf.float32
    return named(converter.convert(), task)


def named(content: bytes, task: Task) -> bytes:
    """Returns the file with the interface's names and order, without the converter's notes."""
    model = model_file.read(content)
    graph = model.subgraphs[0]
    shapes = {tuple(graph.tensors[index].shape): index for index in graph.outputs}
    for tensor in graph.tensors:
        # The names of all layers that were folded into one: the first is sufficient.
        tensor.name = tensor.name.split(b';')[0]
    graph.outputs = [shapes[output.shape] for output in task.OUTPUTS]
    for index, output in zip(graph.outputs, task.OUTPUTS):
        graph.tensors[index].name = output.name
    graph.tensors[graph.inputs[0]].name = task.INPUT
    graph.name = 'main'
    model.description, model.signatureDefs, model.metadata, model.metadataBuffer = task.NAME, None, None, None
    return model_file.write(model)
