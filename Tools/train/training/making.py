"""From images to files: trains a task's network and writes its files."""
import os

import tensorflow as tf

from training import descriptions, metadata, postprocessing
from training.drawing import TRAINING_SEED, Drawer
from training.export import exported
from training.files import FILES, TASKS
from training.fitting import fit
from training.task import Plan

SEED = 20


def make(name: str, drawer: Drawer, models: str, shorten: float = 1.0) -> None:
    """Trains the network of a task, or resumes its training, and writes its files.

    `shorten` scales the number of images and of epochs, for testing the chain.
    """
    tf.keras.utils.set_random_seed(SEED)
    task = TASKS[name]()
    plan = shortened(task.PLAN, shorten)
    network = task.network()
    drawer.say(f'{name}: {network.count_params()} parameters')
    task.learn(task.drawn(drawer, plan.count, TRAINING_SEED))
    fit(task, network, os.path.join(drawer.folder, 'checkpoints', f'{plan.count}x{plan.epochs}'), plan, SEED)
    forms = {False: exported(task, network), True: exported(task, network, task.examples)}
    os.makedirs(models, exist_ok=True)
    for file in (file for file in FILES if file.task == name):
        for int8, content in forms.items():
            content = postprocessing.postprocessed(content) if file.postprocessed else content
            path = os.path.join(models, file.path(int8))
            with open(path, 'wb') as stream:
                stream.write(metadata.described(content, getattr(descriptions, file.description)(**task.described()), task.SIDE))
            drawer.say(f'{path}: {os.path.getsize(path)} bytes')


def shortened(plan: Plan, share: float) -> Plan:
    return plan._replace(count=max(128, round(plan.count * share)), epochs=max(2, round(plan.epochs * share)))
