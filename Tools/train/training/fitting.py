"""The training loop: seeded, resumed after the last whole epoch, with a bar on terminals."""
import os
import sys
import time
from typing import Callable

import numpy as np
import tensorflow as tf


class Bar:
    """One line that is drawn over again on a terminal; elsewhere a line per epoch."""

    def __init__(self, label: str, total: int):
        self.label, self.total, self.start = label, total, time.time()
        self.first: int | None = None

    def show(self, done: int, text: str) -> None:
        if not sys.stderr.isatty():
            return
        if self.first is None:
            self.first = done - 1
        filled = 24 * done // self.total
        left = (time.time() - self.start) / (done - self.first) * (self.total - done)
        sys.stderr.write(f'\r{self.label} [{"█" * filled}{"·" * (24 - filled)}] {100 * done // self.total:3d} % {text}, {left:.0f} s left \x1b[K')
        sys.stderr.flush()

    def line(self, text: str) -> None:
        sys.stderr.write(('\r\x1b[K' if sys.stderr.isatty() else '') + f'{self.label}: {text}\n')
        sys.stderr.flush()


class Rounds(tf.keras.optimizers.schedules.LearningRateSchedule):
    """In every round a rate that rises for one epoch and falls along a cosine."""

    def __init__(self, rounds: tuple[int, ...], steps: int, rate: float):
        self.rounds, self.steps, self.rate = rounds, steps, rate

    def __call__(self, step):
        step, start, result = tf.cast(step, tf.float32), 0, 0.0
        for epochs in self.rounds:
            done = step - start
            fall = tf.clip_by_value((done - self.steps) / max(1, (epochs - 1) * self.steps), 0.0, 1.0)
            rate = self.rate * tf.minimum((done + 1) / self.steps, 0.5 + 0.5 * tf.cos(np.pi * fall))
            result = tf.where(done >= 0, rate, result)
            start += epochs * self.steps
        return result

    def get_config(self):
        return {'rounds': self.rounds, 'steps': self.steps, 'rate': self.rate}


def fit(name: str, model: tf.keras.Model, count: int, batch: Callable, loss: Callable, folder: str, *, rounds: tuple[int, ...], batch_size: int,
        rate: float, seed: int) -> None:
    """Trains with AdamW.

    `batch(indices, random)` gives float pictures of 0…255 and the truth as a tuple of arrays; `loss(outputs, *truth)` a number to lessen.
    What is random in an epoch depends on the seed and its number alone, so that a run that was stopped goes on as it would have.
    """
    steps = count // batch_size
    epochs = sum(rounds)
    total = epochs * steps
    optimizer = tf.keras.optimizers.AdamW(Rounds(rounds, steps, rate), weight_decay=1e-4, clipnorm=5.0)
    optimizer.build(model.trainable_variables)
    epoch = tf.Variable(0, dtype=tf.int64)
    checkpoint = tf.train.Checkpoint(model=model, optimizer=optimizer, epoch=epoch)
    manager = tf.train.CheckpointManager(checkpoint, os.path.join(folder, name), max_to_keep=1)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)

    @tf.function(reduce_retracing=True)
    def step(pictures, *truth):
        with tf.GradientTape() as tape:
            value = loss(model(pictures / 127.5 - 1, training=True), *truth)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value

    bar = Bar(name, total)
    while int(epoch) < epochs:
        random = np.random.default_rng([seed, int(epoch)])
        order, values, start = random.permutation(count), [], time.time()
        for index in range(steps):
            pictures, *truth = batch(order[index * batch_size:(index + 1) * batch_size], random)
            values.append(float(step(tf.constant(pictures), *map(tf.constant, truth))))
            bar.show(int(epoch) * steps + index + 1, f'epoch {int(epoch) + 1} of {epochs}, loss {np.mean(values[-50:]):.4f}')
        epoch.assign_add(1)
        manager.save()
        bar.line(f'epoch {int(epoch)} of {epochs}: loss {np.mean(values):.4f}, {time.time() - start:.0f} s')
