"""The text classifier: topics of sentences, from the mean of their word vectors."""
import re
import zipfile
from collections import Counter

import numpy as np
import tensorflow as tf

from training import layers
from training.drawing import Drawer
from training.names import TOPICS
from training.task import Output, Plan, Task

CLASSES = len(TOPICS)
# The delimiter pattern, the maximum number of words in a text, and the vocabulary file.
PATTERN, LENGTH, VOCABULARY = r"[^\w']+", 32, 'vocabulary.txt'
# The padding token, the start token, and the token for unknown words.
SPECIAL = ('<PAD>', '<START>', '<UNKNOWN>')
# The rows of the embedding table, of which the vocabulary uses the first, and the length of a vector.
ROWS, SIZE = 512, 16
# The share of words that training replaces by the unknown token, so that the model learns to handle unknown words.
HIDDEN = 0.15


def cut(text: str) -> list[str]:
    return [word for word in re.split(PATTERN, text) if word]


def texts(scenes) -> list[str]:
    return [bytes(row).rstrip(b'\0').decode() for row in np.asarray(scenes['sentences'])]


def vocabulary(sentences: list[str]) -> dict[str, int]:
    """Returns the token IDs of the most frequent words, with the special tokens first."""
    counts = Counter(word for text in sentences for word in cut(text))
    words = sorted(counts, key=lambda word: (-counts[word], word))
    return {word: number for number, word in enumerate([*SPECIAL, *words][:ROWS])}


def numbers(texts: list[str], vocabulary: dict[str, int]) -> np.ndarray:
    """Returns the token IDs of the texts `[count, LENGTH]`, as MediaPipe's tokenizer returns them."""
    padding, start, unknown = (vocabulary[word] for word in SPECIAL)
    result = np.full((len(texts), LENGTH), padding, np.int32)
    for row, text in zip(result, texts):
        found = [start, *(vocabulary.get(word, unknown) for word in cut(text))][:LENGTH]
        row[:len(found)] = found
    return result


class Sentences(Task):
    NAME, SCENES, INPUT = 'text_classifier', 'sentence', 'input_text'
    PLAN = Plan(12800, 8, 1e-2, 64)
    OUTPUTS = (Output('probability', (1, CLASSES)),)
    QUANTIZED_INPUTS = QUANTIZED_OUTPUTS = False

    def network(self):
        words = layers.layers.Input((LENGTH,), dtype=tf.int32, name=self.INPUT)
        mean = layers.layers.GlobalAveragePooling1D()(layers.layers.Embedding(ROWS, SIZE)(words))
        x = layers.layers.Dense(SIZE, activation='relu')(mean)
        return tf.keras.Model(words, [layers.layers.Softmax()(layers.layers.Dense(CLASSES)(x))])

    def drawn(self, drawer: Drawer, count: int, seed: int):
        return drawer.examples(self.SCENES, count, seed)

    def learn(self, scenes):
        self.vocabulary = vocabulary(texts(scenes))
        self.words, self.classes = numbers(texts(scenes), self.vocabulary), np.asarray(scenes['classes'])

    def described(self):
        return {'vocabulary': self.vocabulary}

    @property
    def examples(self):
        return self.words

    def specification(self):
        return tf.TensorSpec((1, LENGTH), tf.int32, self.INPUT)

    def real(self, example):
        return np.asarray(example, np.int32)

    def batch(self, indices, random):
        words = self.words[indices].copy()
        hidden = (random.random(words.shape) < HIDDEN) & (words >= len(SPECIAL))
        words[hidden] = self.vocabulary[SPECIAL[2]]
        return words, self.classes[indices]

    def variation(self, count, random):
        return ()

    def varied(self, examples):
        return examples

    def loss(self, outputs, classes):
        truth = tf.one_hot(classes, CLASSES) * 0.95 + 0.05 / CLASSES
        return -tf.reduce_mean(tf.reduce_sum(truth * tf.math.log(outputs + 1e-7), -1))

    def measure(self, run, scenes):
        # The vocabulary in the file itself.
        with zipfile.ZipFile(run.path) as archive:
            lines = archive.read(VOCABULARY).decode().splitlines()
        known = {word: int(number) for word, number in (line.split(' ') for line in lines)}
        found = np.array([run(words)[0][0].argmax() for words in numbers(texts(scenes), known)])
        return {'accuracy': float((found == scenes['classes']).mean())}
