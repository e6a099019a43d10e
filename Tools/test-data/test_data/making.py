"""The parts that can be generated, in the order of their dependencies."""
from test_data import Problem, bundles, frames, golden, images, models, tasks

RECIPES = {'images': images.make, 'models': models.make, 'bundles': bundles.make, 'video': frames.make_videos,
           'sequences': frames.make_sequences, 'golden': golden.make, 'tasks': tasks.make}
# These parts read other parts, and can generate a selection, even in another directory.
RUNS = ('golden', 'tasks')


def make(names, data, out, only, replace):
    """Generates the missing parts, and returns the failures."""
    for name in names:
        if name not in RECIPES:
            raise Problem(f'unknown name \'{name}\' after make; must be one of {", ".join(RECIPES)}')
    if (out or only) and (len(names) != 1 or names[0] not in RUNS):
        raise Problem('--out and --only require exactly one name after make, golden or tasks')
    failures = []
    for name in names or RECIPES:
        options = {'out': out, 'only': only} if name in RUNS else {}
        failures += RECIPES[name](data, replace, **options)
    return failures
