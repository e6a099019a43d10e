"""Writes evaluation results into the model cards."""
import os
import re

from training import evaluation
from training.files import FILES

START, END = '<!-- figures: Tools/train/evaluate --cards -->', '<!-- end of figures -->'


def update(models: str, results: dict[str, dict[str, dict[str, float]]]) -> None:
    """Replaces the tables between the markers in the cards of the evaluated files."""
    for task in sorted({file.task for file in FILES if file.name in results}):
        path = os.path.join(models, task + '.md')
        with open(path, encoding='utf-8') as file:
            card = file.read()
        table = evaluation.table({file.name: results[file.name] for file in FILES if file.task == task and file.name in results})
        marked = re.compile(re.escape(START) + '.*?' + re.escape(END), re.DOTALL)
        if not marked.search(card):
            raise ValueError(f'{path} has no place for figures: {START}')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(marked.sub(lambda _: f'{START}\n{table}\n{END}', card))
