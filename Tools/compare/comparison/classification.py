"""Image classification."""
from . import peer

REGION = (0.1, 0.2, 0.7, 0.85)
TOP = 5
THRESHOLD = '1e-6'


class Classification(peer.Task):
    NAME = 'classification'
    COLUMNS = ('Classes', 'Ranks that differ', 'Largest score difference')
    RULE = ('A run agrees if the top %d classes of every output are the same, except for classes with equal scores, and none of their scores differs by more than 0.01. '
            'The region is %s of the image. The score threshold is a millionth, because MediaPipe applies the threshold of the metadata if none is set.'
            % (TOP, REGION))
    WORST = (None, max, max)
    MODELS = (('classification/mobilenet_v1_0.25_224_float.tflite', None), ('classification/mobilenet_v1_0.25_224_quant.tflite', None),
              ('classification/mobilenet_v1_0.25_224_dynamic_int8.tflite', (127.5, 127.5)),
              ('classification/tf2_mobilenet_v2_1.0_224_ptq.tflite', None), ('classification/object_labeler.tflite', None),
              ('classification/vww_96_float.tflite', (0.0, 255.0)), ('classification/resnet8_cifar10_float.tflite', (0.0, 1.0)))
    OPTIONS = ('plain', 'region')

    def open(self, path, option):
        from mediapipe.tasks.python import vision
        return vision.ImageClassifier.create_from_options(vision.ImageClassifierOptions(base_options=peer.base_options(path), max_results=-1, score_threshold=float(THRESHOLD)))

    def ours(self, tool, path, files, rotation, option):
        flags = peer.region(REGION) if option == 'region' else []
        return tool.run('classify', files, path, rotation, '--max-results', str(TOP), '--score-threshold', THRESHOLD, *flags)

    def compare(self, task, image, document, rotation, option):
        region = REGION if option == 'region' else None
        theirs = task.classify(image, peer.processing(rotation, region)).classifications
        heads = document['classifications']
        agrees, different, largest, count = len(heads) == len(theirs), 0, 0.0, 0
        for mine, yours in zip(heads, theirs):
            scores = {c.index: c.score for c in yours.categories}
            names = {c.index: c.category_name or '' for c in yours.categories}
            best = yours.categories[:TOP]
            count += len(yours.categories)
            agrees &= len(mine['categories']) == len(best)
            for ours, place in zip(mine['categories'], best):
                score = scores.get(ours['index'])
                # Another class at this position is acceptable if MediaPipe gives it the same score.
                different += score is None or score != place.score
                largest = max(largest, abs(ours['score'] - score) if score is not None else float('inf'))
                agrees &= (ours['name'] or '') == names.get(ours['index'], '')
        return agrees and different == 0 and largest <= 0.01, (count, different, largest)
