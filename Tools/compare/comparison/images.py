"""Images in MediaPipe's form."""
import os


class Images:
    def __init__(self, folder, names=None):
        self.folder = folder
        self.names = names or sorted(f for f in os.listdir(folder) if f.lower().endswith(('.jpg', '.jpeg', '.png')))

    def path(self, name):
        return os.path.join(self.folder, name)

    def load(self, name):
        """Returns the stored pixels as Swiftlet's decoder returns them: libjpeg's, without EXIF rotation."""
        import mediapipe as mp
        import numpy as np
        from PIL import Image
        image = Image.open(self.path(name))
        if image.mode in ('I;16', 'I', 'I;16B'):
            gray = np.asarray(image, np.uint32) >> 8
            image = Image.fromarray(gray.astype(np.uint8))
        if image.mode == 'CMYK':
            cmyk = np.asarray(image, np.uint16)
            # Pillow inverts Adobe's values, so that 0 is no ink.
            rgb = ((255 - cmyk[..., :3]) * (255 - cmyk[..., 3:]) + 127) // 255
            return mp.Image(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(rgb.astype(np.uint8)))
        mode, form = ('RGBA', mp.ImageFormat.SRGBA) if image.mode in ('RGBA', 'LA') else ('RGB', mp.ImageFormat.SRGB)
        return mp.Image(image_format=form, data=np.ascontiguousarray(np.asarray(image.convert(mode))))
