"""NON_MAX_SUPPRESSION_V4/V5 and TFLite_Detection_PostProcess."""
import numpy as np
from flatbuffers import flexbuffers

from golden_models.graph import operator
from golden_models.tensors import (Quantization, constant, floats, quantized, random_values, result, scalar)


def boxes(count, seed):
    """Returns corner boxes in a few clusters, so that some overlap."""
    centers = random_values('float32', [count, 2], seed + '/centers', 0.2, 0.8)
    centers[1::2] = centers[::2][:len(centers[1::2])] + 0.03
    sizes = random_values('float32', [count, 2], seed + '/sizes', 0.15, 0.3)
    return np.concatenate([centers - sizes / 2, centers + sizes / 2], axis=1)


@operator('NON_MAX_SUPPRESSION_V4', 'NON_MAX_SUPPRESSION_V5')
def non_max_suppression(op):
    soft = op.name.endswith('V5')
    options = ('NonMaxSuppressionV5Options' if soft else 'NonMaxSuppressionV4Options', {})
    outputs = lambda: [result('int32')] + ([result()] if soft else []) + [result('int32')]
    for name, count, limit, overlap, threshold in [('usual', 12, 6, 0.5, 0.2), ('all', 8, 20, 0.99, 0.0),
                                                   ('strict', 12, 5, 0.01, 0.0), ('none_pass', 6, 3, 0.5, 0.95),
                                                   ('limit_1', 9, 1, 0.5, 0.1)]:
        for sigma in (0.0, 0.5) if soft else (None,):
            scores = random_values('float32', [count], op.name + name, 0.05, 0.9)
            inputs = [floats(count, 4, values=boxes(count, name)), floats(count, values=scores), scalar(limit, 'int32'),
                      scalar(overlap, 'float32'), scalar(threshold, 'float32')]
            label = name + ('' if sigma is None else '_soft' if sigma else '_hard')
            op.add(label, inputs + ([scalar(sigma, 'float32')] if soft else []), outputs(), options)
    flipped = boxes(6, 'flipped')[:, [2, 3, 0, 1]]
    inputs = [floats(6, 4, values=flipped), floats(6, values=[0.9, 0.8, 0.7, 0.6, 0.5, 0.4]), scalar(4, 'int32'),
              scalar(0.3, 'float32'), scalar(0.0, 'float32')]
    op.add('flipped_corners', inputs + ([scalar(0.0, 'float32')] if soft else []), outputs(), options)


def attributes(**fields):
    builder = flexbuffers.Builder()
    with builder.Map():
        for name, value in sorted(fields.items()):
            if isinstance(value, bool):
                builder.Bool(name, value)
            elif isinstance(value, int):
                builder.Int(name, value)
            else:
                builder.Float(name, value)
    return bytes(builder.Finish())


def counted_rows(classes_each):
    """The operator leaves rows beyond the count uninitialized; here they are set to zero.

    The count is the number of boxes, each of which has `classes_each` rows.
    """
    def tidy(outputs):
        rows = int(outputs[3][0]) * classes_each
        cleaned = [array.copy() for array in outputs]
        for array in cleaned[:3]:
            array[:, rows:] = 0
        return cleaned
    return tidy


@operator('TFLite_Detection_PostProcess')
def postprocess(op):
    def add(name, anchors_count, classes, columns, dtype='float32', tied=False, **more):
        anchors = random_values('float32', [anchors_count, 4], 'anchors', 0.15, 0.35)
        anchors[:, :2] = random_values('float32', [anchors_count, 2], 'anchor centers', 0.2, 0.8)
        fields = dict(max_detections=5, max_classes_per_detection=1, detections_per_class=100, use_regular_nms=False,
                      nms_score_threshold=0.3, nms_iou_threshold=0.5, num_classes=classes, y_scale=10.0, x_scale=10.0,
                      h_scale=5.0, w_scale=5.0)
        fields.update(more)
        shape = (1, anchors_count, columns)
        if dtype == 'float32':
            scores = random_values('float32', shape, name, 0.0, 0.95)
            if tied:
                scores = np.round(scores * 4) / 4
            inputs = [floats(1, anchors_count, 4, low=-1.5, high=1.5), floats(*shape, values=scores), constant(anchors)]
        else:
            inputs = [quantized('uint8', 1, anchors_count, 4, low=-1.5, high=1.5),
                      quantized('uint8', *shape, q=Quantization(1 / 256)),
                      constant(np.clip(np.round(anchors / 0.85 * 255), 0, 255), 'uint8', Quantization(0.85 / 255))]
        op.add(name, inputs, [result() for _ in range(4)], custom_options=attributes(**fields), tidy=counted_rows(fields['max_classes_per_detection']))

    add('fast', 9, 3, 4)
    add('fast_without_background', 9, 3, 3)
    add('fast_two_classes_each', 9, 4, 5, max_classes_per_detection=2)
    add('fast_all_classes_each', 6, 2, 3, max_classes_per_detection=2)
    add('fast_few_results', 9, 3, 4, nms_score_threshold=0.75)
    add('fast_nothing', 9, 3, 4, nms_score_threshold=0.99)
    add('fast_tied_scores', 12, 3, 4, tied=True)
    add('fast_one_class', 12, 1, 2, max_detections=10)
    add('regular', 9, 3, 4, use_regular_nms=True)
    add('regular_few_per_class', 12, 3, 4, use_regular_nms=True, detections_per_class=2, max_detections=8)
    add('regular_tied_scores', 12, 3, 4, use_regular_nms=True, tied=True)
    add('uint8_fast', 9, 3, 4, dtype='uint8')
    add('uint8_regular', 9, 3, 4, dtype='uint8', use_regular_nms=True)
