"""Texts, and the text tasks."""
import os
import random

from . import embedding, language_models, lines, peer

# One text per line: sentences, scripts, punctuation, white space, an empty text, and more words than models accept.
WRITTEN = ('this is a great movie', 'What a waste of time!', "It's GOOD, isn't  it?", '', '   ', 'naïve café — déjà vu', 'a_b-c/d\\e', '"quoted" (and) [more]',
           'これは素晴らしい映画です', 'Это отличный фильм', 'هذا فيلم رائع', 'यह एक बढ़िया फिल्म है', '이것은 훌륭한 영화입니다', '😀 great 😀', 'e\u0301 combining', 'tab\tand\nline',
           'no-break\u00a0space', 'good ' * 300, 'x' * 5000)
WORDS = ('the movie was not very good and i like to see it again never bad worst best film plot acting boring fun an awful brilliant story it\'s don\'t').split()


class Texts:
    """Takes the place of the images: the name of a text is the text itself."""

    def __init__(self, made=50, foreign=200):
        chooser = random.Random(1)
        sentences = (' '.join(chooser.choice(WORDS) for _ in range(chooser.randint(1, 40))) for _ in range(made))
        self.names = list(WRITTEN) + [sentence.title() if chooser.random() < 0.2 else sentence for sentence in sentences]
        self.names += [''.join(filter(is_as_long_in_small_letters, line)) for line in lines.lines(3, foreign)]

    def path(self, name):
        return name

    def load(self, name):
        return name


def is_as_long_in_small_letters(character):
    """MediaPipe's hashes of other texts read memory after the text."""
    return len(character.lower().encode()) == len(character.encode())


class Classification(peer.Task):
    NAME, KIND, COMMAND = 'text classification', 'TextClassifier', 'classify-text'
    COLUMNS = ('Classes', 'Largest difference')
    RULE = 'A run agrees if both sides have the same classes in the same order, with scores within 1e-4 of each other.'
    WORST = (None, max)
    MODELS = (('text_classifier_regex.tflite', None),)
    OPTIONS = ('plain', 'first')

    def open(self, path, option):
        from mediapipe.tasks.python import text
        options = getattr(text, self.KIND + 'Options')(base_options=peer.base_options(path), max_results=1 if option == 'first' else -1)
        return getattr(text, self.KIND).create_from_options(options)

    def ours(self, tool, path, texts, rotation, option):
        return tool.run_texts(self.COMMAND, texts, path, *(['--max-results', '1'] if option == 'first' else []))

    def compare(self, task, text, document, rotation, option):
        theirs, ours = self.theirs(task, text), self.found(document)
        if [name for name, _ in theirs] != [name for name, _ in ours]:
            return False, (len(ours), float('inf'))
        worst = max((abs(a[1] - b[1]) for a, b in zip(theirs, ours)), default=0.0)
        return worst <= 1e-4, (len(ours), worst)

    def theirs(self, task, text):
        return [((c.index, c.category_name), c.score) for c in task.classify(text).classifications[0].categories]

    def found(self, document):
        return [((c['index'], c['name']), c['score']) for c in document['classifications'][0]['categories']]


class Embedding(embedding.Embedding):
    NAME = 'text embedding'
    RULE = 'A run agrees if the cosine similarity of the two embeddings is above 0.99999, or above 0.999 for quantized embeddings.'
    MODELS = (('text_embedder_regex.tflite', None),)
    INTEGER = ()
    OPTIONS = ('plain', 'l2-normalize', 'l2-normalize quantize')

    def open(self, path, option):
        from mediapipe.tasks.python import text
        self.is_integer = False
        return text.TextEmbedder.create_from_options(text.TextEmbedderOptions(
            base_options=peer.base_options(path), l2_normalize='l2-normalize' in option, quantize='quantize' in option))

    def ours(self, tool, path, texts, rotation, option):
        return tool.run_texts('embed-text', texts, path, *self.flags(option))

    def theirs(self, task, text, rotation, option):
        return task.embed(text)


class Languages(Classification):
    NAME, KIND, COMMAND = 'language detection', 'LanguageDetector', 'detect-language'
    COLUMNS = ('Languages', 'Largest difference')
    RULE = ('A run agrees if both sides have the same languages in the same order, with probabilities within 1e-4 of each other. There is no language detector in public '
            'repositories, so the model has the architecture of one and random weights.')

    def cases(self):
        path = os.path.join(self.folder, 'language_detector.tflite')
        if self.only in path:
            language_models.language_detector(path)
            for option in self.OPTIONS:
                yield os.path.basename(path), path, option

    def theirs(self, task, text):
        return [(d.language_code, d.probability) for d in task.detect(text).languages]

    def found(self, document):
        return [(d['code'], d['probability']) for d in document['languages']]
