"""Prints Tests/Images/SwiftletImageCodecsTests/CodecSamples.swift: small image files of many kinds, with the pixels that Pillow
reads from them.

Needs Pillow (recorded with 13.0.0). PNG files are assembled here, because Pillow writes neither interlaced files nor all
bit depths.

    python3 codec_samples.py > ../../../Tests/Images/SwiftletImageCodecsTests/CodecSamples.swift
"""

import io
import struct
import zlib

from PIL import Image

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}
ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def sample(x, y, channel, depth):
    """Returns a value of the image with `depth` bits."""
    return (x * 7919 + y * 104729 + channel * 1299709 + x * y * 31) >> 3 & (1 << depth) - 1


def packed(columns, row, color, depth):
    values = [sample(x, row, c, depth) for x in columns for c in range(CHANNELS[color])]
    bits = "".join(format(v, f"0{depth}b") for v in values)
    bits += "0" * (-len(bits) % 8)
    return bytes([0]) + bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def png(width, height, color, depth, interlaced=False, transparency=None, extra=b""):
    out = b"\x89PNG\r\n\x1a\n"
    out += chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, int(interlaced)))
    if color == PALETTE:
        out += chunk(b"PLTE", bytes(i * 37 + c * 11 & 255 for i in range(1 << depth) for c in range(3)))
    if transparency is not None:
        out += chunk(b"tRNS", transparency)
    out += extra
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    data = b""
    for x0, y0, dx, dy in passes:
        columns = range(x0, width, dx)
        if columns:
            data += b"".join(packed(columns, y, color, depth) for y in range(y0, height, dy))
    return out + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b"")


def jpeg(mode, **options):
    width, height = 21, 13
    image = Image.new(mode, (width, height))
    bands = len(mode) if mode != "L" else 1
    image.putdata([
        tuple((x * (9 + 3 * c) + y * (5 + 4 * c)) & 255 for c in range(bands)) if bands > 1 else (x * 9 + y * 5) & 255
        for y in range(height) for x in range(width)
    ])
    file = io.BytesIO()
    image.save(file, "JPEG", **options)
    return file.getvalue()


def expected(name, data):
    image = Image.open(io.BytesIO(data))
    if image.mode.startswith("I;16") or image.mode == "I":
        high = bytes(v >> 8 for v in image.getdata())
        return "gray8", high
    if image.mode in ("1", "L") and "transparency" not in image.info:
        return "gray8", image.convert("L").tobytes()
    if image.mode in ("LA", "RGBA") or "transparency" in image.info:
        return "rgba8", image.convert("RGBA").tobytes()
    return "rgb8", image.convert("RGB").tobytes()


def digest(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & (1 << 64) - 1
    return value


def main():
    samples = {}
    for depth in (1, 2, 4, 8, 16):
        samples[f"gray, {depth} bits"] = png(11, 9, GRAY, depth)
    for depth in (1, 2, 4, 8):
        samples[f"palette, {depth} bits"] = png(11, 9, PALETTE, depth)
    for color, name in ((RGB, "color"), (GRAY_ALPHA, "gray with alpha"), (RGBA, "color with alpha")):
        for depth in (8, 16):
            samples[f"{name}, {depth} bits"] = png(5, 4, color, depth)
    samples["interlaced color"] = png(13, 11, RGB, 8, interlaced=True)
    samples["interlaced gray, 1 bit"] = png(13, 11, GRAY, 1, interlaced=True)
    samples["interlaced palette, 4 bits"] = png(3, 2, PALETTE, 4, interlaced=True)
    samples["interlaced single pixel"] = png(1, 1, RGBA, 8, interlaced=True)
    samples["palette with transparency"] = png(11, 9, PALETTE, 4, transparency=bytes([0, 128, 255, 7]))
    samples["gray with a transparent value"] = png(11, 9, GRAY, 8, transparency=struct.pack(">H", sample(2, 3, 0, 8)))
    samples["color with a transparent value"] = png(
        5, 4, RGB, 8, transparency=struct.pack(">HHH", *(sample(2, 3, c, 8) for c in range(3))))
    samples["gamma is ignored"] = png(5, 4, RGB, 8, extra=chunk(b"gAMA", struct.pack(">I", 100000)))
    samples["JPEG, gray"] = jpeg("L", quality=80)
    samples["JPEG, color at half resolution"] = jpeg("RGB", quality=80, subsampling=2)
    samples["JPEG, color at half width"] = jpeg("RGB", quality=80, subsampling=1)
    samples["JPEG, color at full resolution"] = jpeg("RGB", quality=80, subsampling=0)
    samples["JPEG, progressive"] = jpeg("RGB", quality=80, progressive=True)
    samples["JPEG, restart markers"] = jpeg("RGB", quality=80, restart_marker_blocks=1)
    samples["JPEG, RGB without conversion"] = jpeg("RGB", quality=80, keep_rgb=True)
    cmyk = jpeg("CMYK", quality=80)
    samples["JPEG, CMYK"] = cmyk
    adobe = cmyk.index(b"Adobe")
    samples["JPEG, YCCK"] = cmyk[:adobe + 11] + bytes([2]) + cmyk[adobe + 12:]

    print("// Written by Tools/golden/image/codec_samples.py; change that instead.")
    print()
    print("/// Small image files of many kinds, and the digest of the pixels that Pillow reads from them.")
    print("enum CodecSamples {")
    print("  static let all: [CodecSample] = [")
    for name, data in samples.items():
        image = Image.open(io.BytesIO(data))
        format, pixels = expected(name, data)
        number = f"{digest(pixels):016X}"
        grouped = "_".join(number[i:i + 4] for i in range(0, 16, 4))
        print("    CodecSample(")
        print(f"      name: \"{name}\", width: {image.width}, height: {image.height}, format: .{format},")
        print(f"      digest: 0x{grouped},")
        text = data.hex()
        lines = [text[i:i + 104] for i in range(0, len(text), 104)]
        print("      hexadecimal: \"\"\"")
        for index, line in enumerate(lines):
            print("        " + line + ("\\" if index + 1 < len(lines) else ""))
        print("        \"\"\"),")
    print("  ]")
    print("}")


main()
