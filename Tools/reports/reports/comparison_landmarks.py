"""Landmarks of the command line and of MediaPipe, bit by bit."""
import re

from . import compared, page

INPUTS = re.compile(r'MediaPipe (\S+), (\d+) images, (\d+) of them with a detection, seed (\d+), at most (\d+) per image\.')


def measure(options):
    words = [compared.peers(options), compared.tool('compare/landmarks'), '--swiftlet', options.swiftlet, '--data', options.data,
             '--variants', '2' if options.short else '14']
    text = compared.captured(options, 'landmarks.md', words, compares=True)
    return {'origin': page.origin(compared.command('comparison-landmarks', options), *compared.versions(options, 'mediapipe')),
            'result': result(text), 'tasks': compared.tables(text)[0].text}


def result(text):
    """Returns the sums over all tasks, and the number of inputs."""
    table = compared.tables(text)[0]
    match = INPUTS.search(text)
    if not match:
        raise SystemExit('error: the output of Tools/compare/landmarks has no line with the number of images')
    landmarks, world = (sums(table, name) for name in ('Landmark values', 'World landmark values'))
    runs = [(name, compared.number(count)) for name, count in zip(table.column('Task'), table.column('Images'))]
    frames = sum(count for name, count in runs if ' in ' in name)
    single = sum(count for _, count in runs) - frames
    return compared.wrapped(
        f'**{landmarks[1]} of {landmarks[0]} landmark values and {world[1]} of {world[0]} world landmark values differ**, in '
        f'{compared.grouped(single + frames)} runs of a task: {compared.grouped(single)} on single images, {compared.grouped(frames)} on frames of sequences. '
        f'Either side detects something in {compared.grouped(int(match[3]))} of {compared.grouped(int(match[2]))} images. '
        f'The seed is {match[4]}, and the maximum number of detections per image is {match[5]}.')


def sums(table, name):
    """Returns the sum of a column, and that of the next one, which has the number of differences."""
    index = table.head.index(name)
    return [compared.grouped(sum(compared.number(row[column]) for row in table.rows)) for column in (index, index + 1)]
