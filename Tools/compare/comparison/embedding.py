"""Image embeddings."""
from . import peer

REGION = (0.1, 0.2, 0.7, 0.85)


class Embedding(peer.Task):
    NAME = 'embedding'
    COLUMNS = ('Values', 'Cosine similarity', 'Largest difference')
    RULE = ('A run agrees if the cosine similarity of the two embeddings is above 0.99999, or above 0.999 for models with integer arithmetic and for quantized '
            'embeddings. The region is %s of the image.' % (REGION,))
    WORST = (None, min, max)
    MODELS = (('embedding/mobilenet_v1_1.0_224_quant_embedding_extractor.tflite', None),
              ('embedding/mobilenet_v2_035_96_embedder.tflite', None),
              ('embedding/mobilenet_v3_small_embedder_random_f16.tflite', (127.5, 127.5)),
              ('embedding/mobilenet_v3_small_embedder_random_int8.tflite', (127.5, 127.5)))
    INTEGER = ('mobilenet_v1_1.0_224_quant', 'mobilenet_v2_035_96', 'random_int8')
    OPTIONS = ('plain', 'l2-normalize', 'l2-normalize quantize', 'region')

    def open(self, path, option):
        from mediapipe.tasks.python import vision
        self.is_integer = any(word in path for word in self.INTEGER)
        return vision.ImageEmbedder.create_from_options(vision.ImageEmbedderOptions(
            base_options=peer.base_options(path), l2_normalize='l2-normalize' in option, quantize='quantize' in option))

    def ours(self, tool, path, files, rotation, option):
        return tool.run('embed', files, path, rotation, *(peer.region(REGION) if option == 'region' else self.flags(option)))

    @staticmethod
    def flags(option):
        return ['--' + word for word in option.split()] if option not in ('plain', 'region') else []

    def theirs(self, task, image, rotation, option):
        return task.embed(image, peer.processing(rotation, REGION if option == 'region' else None))

    def compare(self, task, image, document, rotation, option):
        import numpy as np
        theirs = self.theirs(task, image, rotation, option).embeddings[0].embedding
        head = document['embeddings'][0]
        quantized = 'quantize' in option
        # MediaPipe's Python API returns signed bytes as unsigned ones.
        yours = np.asarray(theirs).astype(np.int8).astype(np.float64) if quantized else np.asarray(theirs, np.float64)
        mine = np.asarray(head['quantized' if quantized else 'float'], np.float64)
        if mine.shape != yours.shape:
            return False, (mine.size, 0.0, float('inf'))
        length = np.sqrt((mine @ mine) * (yours @ yours))
        cosine = float(mine @ yours / length) if length > 0 else float((mine == yours).all())
        least = 0.999 if quantized or self.is_integer else 0.99999
        return cosine > least, (mine.size, cosine, float(np.abs(mine - yours).max()))
