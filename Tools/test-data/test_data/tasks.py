"""Golden results of tasks: the results of MediaPipe for Python for the cases in cases.json.

Fields of a case: id; task; model; picture, sequence, audio, or texts: MediaPipe's input; options: by their names in
Python, and `keypoint` of the interactive segmenter; turn: counterclockwise quarter turns of the decoded pixels; rotation:
clockwise degrees passed to MediaPipe; repeat: the number of times that one task gets the image; step_ms: milliseconds per frame;
rate: a sample rate other than the file's; stereo: whether a second channel has half the samples' values.
"""
import json
import os
import tempfile

from test_data import Problem, bundles, missing, parts


def make(data, replace, out=None, only=''):
    """Writes the results and their manifest, and returns the failures."""
    folder = os.path.abspath(out or os.path.join(data, 'tasks'))
    manifest = os.path.join(folder, 'manifest.json')
    if os.path.exists(manifest) and not replace:
        print(f'{manifest} is there already; --replace makes it again')
        return []
    cases = [case for case in parts.cases() if only in parts.result_of(case)]
    if not cases:
        raise Problem(f'no case in cases.json has \'{only}\' in its result\'s path; change --only')
    try:
        import mediapipe
    except ImportError as error:
        raise missing(error.name) from None
    from test_data import lists
    from test_data.running import Runner
    made, failures = [], []
    with tempfile.TemporaryDirectory() as work:
        runner = Runner(data, folder, work)
        for case in cases:
            path, absent = parts.result_of(case), needed(case, data, work)
            if absent:
                failures.append(f'tasks/{path}: needs {", ".join(absent)}; run fetch, make bundles and make sequences')
                continue
            os.makedirs(os.path.join(folder, case['task']), exist_ok=True)
            write(os.path.join(folder, path), {**case, 'result': runner.result(case)})
            made.append({**case, 'file': path})
            print(f'tasks/{path}', flush=True)
    if not only:
        failures += lists.make(data, folder)
    # A manifest without cases would make tests fail instead of skipping them.
    if made:
        write(manifest, {'mediapipe': mediapipe.__version__, 'cases': made})
    return failures


def needed(case, data, work):
    """Returns the missing files of the case. Bundles whose parts are available are assembled in `work`."""
    model = 'tasks/models/' + case['model']
    if model in bundles.WHOLE and not os.path.exists(os.path.join(data, model)):
        sources, _ = bundles.WHOLE[model]
        absent = [source for source in sources if not os.path.exists(os.path.join(data, source))]
        if not absent:
            bundles.find(case['model'], data, work)
    else:
        absent = [] if os.path.exists(os.path.join(data, model)) else [model]
    for field, folder in (('picture', 'images'), ('sequence', 'tasks/sequences'), ('audio', 'tasks/audio')):
        # The frames of videos are named relative to the sequences.
        path = os.path.normpath(f'{folder}/{case[field]}') if field in case else ''
        if path and not os.path.exists(os.path.join(data, path)):
            absent.append(path)
    return absent


def write(path, value):
    with open(path, 'w', encoding='utf-8') as file:
        json.dump(value, file, separators=(',', ':'))
        file.write('\n')
