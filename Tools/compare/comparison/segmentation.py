"""Image segmentation."""
import glob
import os
import re
import shutil

from . import peer


class Segmentation(peer.Task):
    NAME = 'segmentation'
    COLUMNS = ('Pixels', 'Equal categories', 'Largest confidence difference over range')
    RULE = ('A run agrees if at least 99.9 % of the pixels of the category masks are equal, and no confidence differs by more than a thousandth of the range of '
            'all confidences of the image.')
    WORST = (None, min, max)
    MODELS = (('segmentation/deeplabv3_257_metadata.tflite', None), ('segmentation/deeplabv3_257_dynamic_int8.tflite', None),
              ('segmentation/selfie_segmentation_256_metadata.tflite', None))
    OPTIONS = (None,)

    def open(self, path, option):
        from mediapipe.tasks.python import vision
        return vision.ImageSegmenter.create_from_options(
            vision.ImageSegmenterOptions(base_options=peer.base_options(path), output_category_mask=True, output_confidence_masks=True))

    def ours(self, tool, path, files, rotation, option):
        """Yields the results on demand, because the masks of all images would fill a disk."""
        category, folder = tool.file('category.png'), tool.file('confidence')
        for file in files:
            shutil.rmtree(folder, ignore_errors=True)
            tool.run('segment', [file], path, rotation, '--category-mask', category, '--confidence-masks', folder, *self.flags(option))
            yield category, folder

    @staticmethod
    def flags(option):
        return []

    def apart(self, differences):
        return differences.max()

    def theirs(self, task, image, rotation, option):
        return task.segment(image, peer.processing(rotation))

    def compare(self, task, image, files, rotation, option):
        import numpy as np
        from PIL import Image
        category, folder = files
        theirs = self.theirs(task, image, rotation, option)
        yours = plane(theirs.category_mask)
        mine = np.asarray(Image.open(category))
        if mine.shape != yours.shape:
            return False, (mine.size, 0.0, float('inf'))
        equal = float((mine == yours).mean())
        files = sorted(glob.glob(os.path.join(folder, '*.npy')), key=lambda f: [int(n) for n in re.findall(r'\d+', os.path.basename(f))])
        if len(files) != len(theirs.confidence_masks):
            return False, (mine.size, equal, float('inf'))
        low, high, largest = float('inf'), float('-inf'), 0.0
        for name, mask in zip(files, theirs.confidence_masks):
            values = plane(mask)
            low, high = min(low, float(values.min())), max(high, float(values.max()))
            largest = max(largest, float(self.apart(np.abs(np.load(name) - values))))
        difference = largest / (high - low) if high > low else largest
        return equal >= 0.999 and difference <= 1e-3, (mine.size, equal, difference)


class Interactive(Segmentation):
    """Runs with a point of interest: inside the image, at its edge, and outside."""
    NAME = 'interactive segmentation'
    RULE = ('A run agrees if at least 99.9 % of the pixels of the category masks are equal, and the confidences differ by at most a thousandth of the range of all '
            'confidences of the image. For the identity models, which return their input, this limit applies to the largest difference. For the other model, it applies to '
            'the mean difference: that model stores the position of the largest of four elements, and if two are nearly equal, a last-bit difference moves one by a pixel. '
            'The option is the point.')
    POINTS = {'interactive_4channel.tflite': ((0.5, 0.5), (1.2, 0.5)), 'identity_257x257.tflite': ((0.501, 0.3), (0.0, 1.0)), 'identity_1200x600.tflite': ((0.55, 0.6),)}

    def cases(self):
        for model, points in self.POINTS.items():
            if self.only in model:
                for point in points:
                    yield model, os.path.join(self.models, model), point

    def open(self, path, option):
        from mediapipe.tasks.python import vision
        self.is_identity = 'identity' in path
        return vision.InteractiveSegmenterLegacy.create_from_options(
            vision.InteractiveSegmenterLegacyOptions(base_options=peer.base_options(path), output_category_mask=True, output_confidence_masks=True))

    @staticmethod
    def flags(option):
        return ['--point', '%g,%g' % option]

    def apart(self, differences):
        return differences.max() if self.is_identity else differences.mean()

    def theirs(self, task, image, rotation, option):
        from mediapipe.tasks.python import vision
        from mediapipe.tasks.python.components.containers import keypoint
        region = vision.InteractiveSegmenterLegacyRegionOfInterest
        place = keypoint.NormalizedKeypoint(x=option[0], y=option[1])
        return task.segment(image, region(format=region.Format.KEYPOINT, keypoint=place), peer.processing(rotation))


def plane(mask):
    values = mask.numpy_view()
    return values[..., 0] if values.ndim == 3 else values
