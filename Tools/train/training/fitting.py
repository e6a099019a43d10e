"""The training loop: seeded, resumed after the last whole epoch, with a bar on terminals."""
import os
import sys
import time
from typing import Callable

import numpy as np
import tensorflow as tf

# How much contrast and the brightness of each colour vary from picture to picture.
CONTRAST, BRIGHTNESS = 0.15, 12.0


class Bar:
    """A line that is drawn over again where someone looks, with a line for each epoch that stays.

    Each drawing ends in a carriage return, each line that stays in a line feed; `always` draws where there is no terminal, for another process
    that reads it.
    """

    always = False

    def __init__(self, label: str, total: int):
        self.label, self.total, self.start = label, total, time.time()
        self.first: int | None = None

    def show(self, done: int, text: str) -> None:
        if not (self.always or sys.stderr.isatty()):
            return
        if self.first is None:
            self.first = done - 1
        filled = 12 * done // self.total
        left = (time.time() - self.start) / (done - self.first) * (self.total - done)
        sys.stderr.write(f'{self.label} [{"█" * filled}{"·" * (12 - filled)}] {text}, {left:.0f} s left\x1b[K\r')
        sys.stderr.flush()

    def line(self, text: str) -> None:
        sys.stderr.write(f'{self.label}: {text}' + ('\x1b[K\n' if sys.stderr.isatty() else '\n'))
        sys.stderr.flush()


class RiseAndFall(tf.keras.optimizers.schedules.LearningRateSchedule):
    """A rate that rises for one epoch and falls along a cosine to nothing."""

    def __init__(self, epochs: int, steps: int, rate: float):
        self.epochs, self.steps, self.rate = epochs, steps, rate

    def __call__(self, step):
        step = tf.cast(step, tf.float32)
        fall = tf.clip_by_value((step - self.steps) / max(1, (self.epochs - 1) * self.steps), 0.0, 1.0)
        return self.rate * tf.minimum((step + 1) / self.steps, 0.5 + 0.5 * tf.cos(np.pi * fall))

    def get_config(self):
        return {'epochs': self.epochs, 'steps': self.steps, 'rate': self.rate}


def fit(name: str, model: tf.keras.Model, count: int, batch: Callable, loss: Callable, folder: str, *, epochs: int, batch_size: int, rate: float,
        seed: int) -> None:
    """Trains with AdamW.

    `batch(indices, random)` gives pictures of 0…255 and the truth as a tuple of arrays; `loss(outputs, *truth)` a number to lessen.
    What is random in an epoch depends on the seed and its number alone, so that a run that was stopped goes on as it would have.
    """
    steps = count // batch_size
    optimizer = tf.keras.optimizers.AdamW(RiseAndFall(epochs, steps, rate), weight_decay=1e-4, clipnorm=5.0)
    optimizer.build(model.trainable_variables)
    epoch = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, epoch=epoch)
    manager = tf.train.CheckpointManager(checkpoint, os.path.join(folder, name), max_to_keep=1)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)

    @tf.function(reduce_retracing=True)
    def step(pictures, contrast, brightness, *truth):
        varied = tf.clip_by_value((tf.cast(pictures, tf.float32) - 127.5) * contrast + 127.5 + brightness, 0, 255)
        with tf.GradientTape() as tape:
            value = loss(model(varied / 127.5 - 1, training=True), *truth)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value

    bar = Bar(name, epochs * steps)
    while int(epoch) < epochs:
        random = np.random.default_rng([seed, int(epoch)])
        order, values, start = random.permutation(count), [], time.time()
        for index in range(steps):
            pictures, *truth = batch(order[index * batch_size:(index + 1) * batch_size], random)
            contrast = random.uniform(1 - CONTRAST, 1 + CONTRAST, (len(pictures), 1, 1, 1)).astype(np.float32)
            brightness = random.uniform(-BRIGHTNESS, BRIGHTNESS, (len(pictures), 1, 1, 3)).astype(np.float32)
            values.append(float(step(*map(tf.constant, (pictures, contrast, brightness, *truth)))))
            bar.show(int(epoch) * steps + index + 1, f'epoch {int(epoch) + 1} of {epochs}, loss {np.mean(values[-50:]):.4f}')
        epoch.assign_add(1)
        manager.save()
        bar.line(f'epoch {int(epoch)} of {epochs}: loss {np.mean(values):.4f}, {time.time() - start:.0f} s')
