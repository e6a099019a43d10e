"""Audio files, and the audio task."""
import os
import struct
import wave

from . import peer, sound_models

RATES = (8000, 11025, 16000, 22050, 32000, 44100, 48000, 96000)
SAMPLES = 'samples'


class Sounds:
    """Takes the place of the images: every file of a directory unchanged, with other rates in its header, so that it is resampled, and with a second
    channel."""

    def __init__(self, source, folder):
        self.folder, self.sounds = folder, {}
        for file in sorted(os.listdir(source)):
            if file.endswith('.wav'):
                samples = read(os.path.join(source, file))
                for rate in RATES:
                    for channels in ([samples], [samples, samples / 2]):
                        self.sounds['%s, %d Hz, %d channel%s' % (file, rate, len(channels), 's'[:len(channels) - 1])] = channels, rate
        self.names = list(self.sounds)

    def path(self, name):
        """Returns a float file, from which both sides read identical numbers."""
        path = os.path.join(self.folder, name.replace(' ', '') + '.wav')
        if not os.path.exists(path):
            write(path, *self.sounds[name])
        return path

    def load(self, name):
        import numpy as np
        from mediapipe.tasks.python.components.containers import audio_data
        channels, rate = self.sounds[name]
        return audio_data.AudioData.create_from_array(channels[0] if len(channels) == 1 else np.stack(channels, axis=-1), rate)


def read(path):
    """Returns the samples of a 16-bit file with one channel."""
    import numpy as np
    with wave.open(path) as file:
        if file.getsampwidth() != 2 or file.getnchannels() != 1:
            raise SystemExit('%s: only files of 16 bits and one channel are compared' % path)
        return np.frombuffer(file.readframes(file.getnframes()), np.int16).astype(np.float32) / np.float32(32768)


def write(path, channels, rate):
    import numpy as np
    data = np.stack(channels, axis=-1).astype('<f4').tobytes()
    count = len(channels)
    form = struct.pack('<HHIIHH', 3, count, rate, 4 * count * rate, 4 * count, 32)
    with open(path, 'wb') as file:
        file.write(b'RIFF' + struct.pack('<I', 36 + len(data)) + b'WAVEfmt ' + struct.pack('<I', 16) + form)
        file.write(b'data' + struct.pack('<I', len(data)) + data)


class Classification(peer.Task):
    NAME = 'audio classification'
    COLUMNS = ('Windows', 'Largest difference')
    RULE = ('A run agrees if both sides have the same number of windows, at the same times, and no score differs by more than one quantization step of the model, 1/256. '
            'The score threshold is a millionth. The samples model returns its input, which must be bit-exact.')
    WORST = (None, max)

    def cases(self):
        for name, option in (('yamnet.tflite', None), ('samples.tflite', SAMPLES)):
            if self.only in name:
                path = os.path.join(self.folder if option else self.models, name)
                if option:
                    sound_models.samples(path)
                yield name, path, option

    @staticmethod
    def threshold(option):
        # Without a threshold, MediaPipe uses the one in the metadata.
        return -100.0 if option else 1e-6

    def open(self, path, option):
        from mediapipe.tasks.python import audio
        return audio.AudioClassifier.create_from_options(
            audio.AudioClassifierOptions(base_options=peer.base_options(path), score_threshold=self.threshold(option)))

    def ours(self, tool, path, sounds, rotation, option):
        return tool.documents(['classify-audio', *sounds, '--model', path, '--threads', str(tool.threads), '--score-threshold=%g' % self.threshold(option)])

    def compare(self, task, sound, document, rotation, option):
        import numpy as np
        theirs = [(r.timestamp_ms, {c.index: c.score for c in r.classifications[0].categories}) for r in task.classify(sound)]
        # JSON has as many digits as single precision requires.
        ours = [(r['timestamp_ms'], {c['index']: float(np.float32(c['score'])) for c in r['classifications'][0]['categories']}) for r in document['results']]
        if [time for time, _ in theirs] != [time for time, _ in ours]:
            return False, (len(ours), float('inf'))
        # A score that only one side reports is close to the threshold.
        largest = max((abs(a.get(i, 0) - b.get(i, 0)) for (_, a), (_, b) in zip(ours, theirs) for i in set(a) | set(b)), default=0.0)
        return largest <= (0 if option else 1 / 256 + 1e-6), (len(ours), largest)
