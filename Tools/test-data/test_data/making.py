"""The parts that can be made, in the order in which they need each other."""
from test_data import Problem, bundles, frames, golden, images, models, tasks

RECIPES = {'images': images.make, 'models': models.make, 'bundles': bundles.make, 'video': frames.make_videos,
           'sequences': frames.make_sequences, 'golden': golden.make, 'tasks': tasks.make}
# These read what others have made, and can make a selection, also elsewhere.
RUNS = ('golden', 'tasks')


def make(names, data, out, only, replace):
    """Makes what is absent, and returns the failures."""
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
