"""The training loop: seeded, resumed after the last complete epoch, with a progress bar on terminals."""
import os
import sys
import time

import numpy as np
import tensorflow as tf

from training.task import Plan, Task

# The number of steps in which the learning rate rises, and the maximum norm of gradients.
RISE, STEEPEST = 500, 20.0


class Bar:
    """A status line that is redrawn on a terminal, with a permanent line per epoch.

    A redrawn line ends in a carriage return, a permanent line in a line feed. `always` also draws without a terminal, for another process that
    reads the output.
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


def risen_and_fallen(step: tf.Tensor, steps: int) -> tf.Tensor:
    """Returns the relative learning rate of a step: it rises for a few steps, then falls to zero along a cosine."""
    rise, step = min(RISE, steps // 10 + 1), tf.cast(step, tf.float32)
    fall = tf.clip_by_value((step - rise) / (steps - rise), 0.0, 1.0)
    return tf.minimum((step + 1) / rise, 0.5 + 0.5 * tf.cos(np.pi * fall))


def adam(variables, moments, slopes, rate, step) -> None:
    """A step of Adam (Kingma and Ba, 2015) with TensorFlow's operator: Keras's implementation takes three times as long, a tenth of the training time."""
    means, squares = 0.9, 0.999
    for variable, (mean, square), slope in zip(variables, moments, slopes):
        tf.raw_ops.ResourceApplyAdam(var=variable.handle, m=mean.handle, v=square.handle, beta1_power=means ** step, beta2_power=squares ** step,
                                     lr=rate, beta1=means, beta2=squares, epsilon=1e-7, grad=slope)


def fit(task: Task, network: tf.keras.Model, folder: str, plan: Plan, seed: int) -> None:
    """Trains the network of a task that has its examples, with Adam.

    The randomness of an epoch depends on the seed and its number only, so that an interrupted run resumes as if it had continued.
    """
    count, epochs, batch_size = len(task.examples), plan.epochs, plan.batch_size
    steps = count // batch_size
    model = task.learner(network)
    epoch = tf.Variable(0, dtype=tf.int64)
    variables = [variable.value for variable in model.trainable_variables]
    moments = [(tf.Variable(tf.zeros_like(variable)), tf.Variable(tf.zeros_like(variable))) for variable in variables]
    checkpoint = tf.train.Checkpoint(model=network, moments=moments, epoch=epoch)
    manager = tf.train.CheckpointManager(checkpoint, os.path.join(folder, task.NAME), max_to_keep=1)
    if manager.latest_checkpoint:
        checkpoint.restore(manager.latest_checkpoint)

    @tf.function(reduce_retracing=True)
    def step(number, examples, variation, truth):
        with tf.GradientTape() as tape:
            value = task.loss(model(task.varied(examples, *variation), training=True), *truth)
        slopes, _ = tf.clip_by_global_norm(tape.gradient(value, variables), STEEPEST)
        adam(variables, moments, slopes, plan.rate * risen_and_fallen(number - 1, epochs * steps), tf.cast(number, tf.float32))
        return value

    bar = Bar(task.NAME, epochs * steps)
    while int(epoch) < epochs:
        random = np.random.default_rng([seed, int(epoch)])
        order, values, start = random.permutation(count), [], time.time()
        for index in range(steps):
            examples, *truth = task.batch(order[index * batch_size:(index + 1) * batch_size], random)
            variation = task.variation(len(examples), random)
            number = int(epoch) * steps + index + 1
            values.append(float(step(*tf.nest.map_structure(tf.constant, (number, examples, tuple(variation), tuple(truth))))))
            bar.show(number, f'epoch {int(epoch) + 1} of {epochs}, loss {np.mean(values[-50:]):.4f}')
        epoch.assign_add(1)
        manager.save()
        bar.line(f'epoch {int(epoch)} of {epochs}: loss {np.mean(values):.4f}, {time.time() - start:.0f} s')
