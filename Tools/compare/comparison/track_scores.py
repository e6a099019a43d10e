"""Scores tracks with the reference implementation of the metrics."""
import numpy
from trackeval.metrics import CLEAR, HOTA, Identity

QUIET = {'PRINT_CONFIG': False, 'THRESHOLD': 0.5}
METRICS = {'CLEAR': CLEAR(dict(QUIET)), 'Identity': Identity(dict(QUIET)), 'HOTA': HOTA()}
NAMES = {
    'CLEAR': ['MOTA', 'MOTP', 'MODA', 'CLR_Re', 'CLR_Pr', 'CLR_TP', 'CLR_FN', 'CLR_FP', 'IDSW', 'Frag', 'MT', 'PT', 'ML'],
    'Identity': ['IDF1', 'IDP', 'IDR', 'IDTP', 'IDFN', 'IDFP'],
    'HOTA': ['HOTA', 'DetA', 'AssA', 'DetRe', 'DetPr', 'AssRe', 'AssPr', 'LocA'],
}


def overlaps(first, second):
    """Returns the intersection over union of all pairs of boxes."""
    low = numpy.maximum(first[:, None, :2], second[None, :, :2])
    high = numpy.minimum(first[:, None, 2:], second[None, :, 2:])
    shared = numpy.prod(numpy.clip(high - low, 0, None), axis=2)
    areas = [numpy.prod(boxes[:, 2:] - boxes[:, :2], axis=1) for boxes in (first, second)]
    return shared / numpy.maximum(areas[0][:, None] + areas[1][None, :] - shared, 1e-300)


def evaluate(truth, output):
    """Returns the raw results of each metric for one sequence, given the identities and boxes of its frames."""
    def numbered(frames):
        order = {}
        return [numpy.array([order.setdefault(i, len(order)) for i in identities], dtype=int) for identities, *_ in frames], order

    truth_ids, truth_order = numbered(truth)
    output_ids, output_order = numbered(output)
    data = {
        'gt_ids': truth_ids, 'tracker_ids': output_ids, 'num_timesteps': len(truth),
        'num_gt_ids': len(truth_order), 'num_tracker_ids': len(output_order),
        'num_gt_dets': sum(map(len, truth_ids)), 'num_tracker_dets': sum(map(len, output_ids)),
        'similarity_scores': [overlaps(t[1], o[1]) for t, o in zip(truth, output)],
    }
    return {name: metric.eval_sequence(data) for name, metric in METRICS.items()}


def combined(results):
    """Returns the raw results of several sequences together."""
    return {name: metric.combine_sequences({str(i): r[name] for i, r in enumerate(results)}) for name, metric in METRICS.items()}


def numbers(results):
    """Returns every metric by name; the HOTA metrics are means over the thresholds."""
    flat = {}
    for metric, names in NAMES.items():
        for name in names:
            flat[name] = float(numpy.mean(results[metric].get(name, 0)))
    return flat
