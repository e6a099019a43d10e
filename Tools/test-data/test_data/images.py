"""The images that are variants of photos: gray, CMYK, progressive, 16-bit, with a palette, and rotated."""
import io

from test_data import missing
from test_data.derived import derive

BURGER, FACE, OWL, TABLE = 'images/burger.jpg', 'images/grace_hopper.jpg', 'images/owl.jpg', 'images/table.jpg'
# EXIF orientation 8: the stored pixels are upright after a counterclockwise quarter turn.
ORIENTATION, TURNED_LEFT = 0x0112, 8


def make(data, replace):
    try:
        import cv2  # noqa: F401
        import PIL  # noqa: F401
    except ImportError as error:
        raise missing(error.name) from None
    return derive({path: ((source,), function) for path, (source, function) in RECIPES.items()}, data, replace)


def photo(content):
    from PIL import Image
    return Image.open(io.BytesIO(content)).convert('RGB')


def jpeg(image, **options):
    stream = io.BytesIO()
    image.save(stream, 'JPEG', **options)
    return stream.getvalue()


def deep(image):
    """Returns a PNG with 16 bits per channel: Pillow only writes gray ones."""
    import cv2
    import numpy
    pixels = numpy.asarray(image).astype(numpy.uint16) * 257
    return cv2.imencode('.png', pixels[..., ::-1] if pixels.ndim == 3 else pixels)[1].tobytes()


def palette(content):
    stream = io.BytesIO()
    photo(content).resize((240, 162)).quantize(64).save(stream, 'PNG')
    return stream.getvalue()


def rotated(content, turn, **options):
    from PIL import Image
    return jpeg(photo(content).transpose(getattr(Image.Transpose, turn)), quality=90, **options)


def oriented(content):
    from PIL import Image
    exif = Image.Exif()
    exif[ORIENTATION] = TURNED_LEFT
    return rotated(content, 'ROTATE_270', exif=exif)


RECIPES = {
    'images/burger_palette.png': (BURGER, palette),
    'images/burger_rgb16.png': (BURGER, lambda content: deep(photo(content).resize((240, 162)))),
    'images/grace_hopper_exif8.jpg': (FACE, oriented),
    'images/grace_hopper_gray.jpg': (FACE, lambda content: jpeg(photo(content).convert('L'), quality=90)),
    'images/grace_hopper_gray16.png': (FACE, lambda content: deep(photo(content).convert('L').resize((160, 188)))),
    'images/grace_hopper_rotated90.jpg': (FACE, lambda content: rotated(content, 'ROTATE_90')),
    'images/owl_cmyk.jpg': (OWL, lambda content: jpeg(photo(content).convert('CMYK'), quality=85)),
    'images/owl_progressive_444.jpg': (OWL, lambda content: jpeg(
        photo(content).resize((320, 240)), quality=92, progressive=True, subsampling='4:4:4')),
    'images/table_420_odd.jpg': (TABLE, lambda content: jpeg(
        photo(content).resize((333, 251)), quality=80, subsampling='4:2:0')),
}
