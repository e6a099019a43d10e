"""Appends TFLite's detection operator to a detector with raw outputs."""
from ai_edge_litert import schema_py_generated as schema
from flatbuffers import flexbuffers

from training import detection, model_file
from training.boxes import CENTER_SCALE, SIZE_SCALE

OPTIONS = {'max_detections': detection.MOST, 'max_classes_per_detection': 1, 'detections_per_class': 100, 'use_regular_nms': False,
           'nms_score_threshold': detection.LEAST_SCORE, 'nms_iou_threshold': detection.SUPPRESSION, 'num_classes': detection.CLASSES,
           'y_scale': CENTER_SCALE, 'x_scale': CENTER_SCALE, 'h_scale': SIZE_SCALE, 'w_scale': SIZE_SCALE}


def postprocessed(content: bytes) -> bytes:
    """Returns the model with boxes, classes, scores, and their number instead of raw boxes and scores.

    The logits are first converted to scores in float, so that an int8 model's best scores stay distinct.
    """
    model = model_file.read(content)
    graph = model.subgraphs[0]
    raw_boxes, raw_scores = graph.outputs
    scores = model_file.add_tensor(model, 'scores', (1, len(detection.ANCHORS), detection.CLASSES))
    model_file.add_operator(model, model_file.operator_code(schema.BuiltinOperator.LOGISTIC), [raw_scores], [scores])
    anchors = model_file.add_tensor(model, 'anchors', detection.ANCHORS.shape, detection.ANCHORS.astype('<f4').tobytes())
    most = detection.MOST
    graph.outputs = [model_file.add_tensor(model, name, shape) for name, shape in (
        ('location', (1, most, 4)), ('category', (1, most)), ('score', (1, most)), ('number of detections', (1,)))]
    operator = model_file.add_operator(model, model_file.operator_code(schema.BuiltinOperator.CUSTOM, 'TFLite_Detection_PostProcess'),
                                       [raw_boxes, scores, anchors], list(graph.outputs))
    builder = flexbuffers.Builder()
    with builder.Map():
        for name, value in OPTIONS.items():
            {bool: builder.Bool, int: builder.Int, float: builder.Float}[type(value)](name, value)
    operator.customOptions = list(builder.Finish())
    model.description = 'object_detector'
    return model_file.write(model)
