"""Checks the built site: serves it to a headless Chromium, which reports the content of its pages and takes screenshots."""
import concurrent.futures
import functools
import http.server
import os
import re
import shutil
import struct
import subprocess
import tempfile
import threading
import zlib

# Pages with the text that they display after their scripts have run.
PAGES = {
    'documentation/': ['Swiftlet', 'SwiftletVision', 'MediaPipeTasksText'],
    'documentation/swiftletvision/': ['Detect faces, objects, hands, and poses', 'FaceDetector', 'Videos and cameras'],
    'documentation/swiftlet/session/': ['A session that runs a compiled model', 'memoryByteCount'],
    'documentation/swiftlet/untrustedmodels/': ['Untrusted models', 'sessionBytes'],
    'tutorials/swiftletvision/detectfaces/': ['Detect faces', 'Create a package', 'Use a model for photos'],
    'tutorials/swiftlet/serveyourmodel/': ['Serve your own model', 'Process requests concurrently'],
}
# The pages with screenshots.
DRAWN = ('documentation/', 'documentation/swiftletvision/', 'tutorials/swiftletvision/detectfaces/')


class QuietHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class Server:
    """Serves a directory on this machine, at a free port."""

    def __init__(self, folder, port=0):
        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', port), functools.partial(QuietHandler, directory=folder))
        self.address = f'http://127.0.0.1:{self.server.server_address[1]}/'

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *arguments):
        self.server.shutdown()


def program():
    """Returns a Chromium on this machine; the environment variable `SWIFTLET_CHROMIUM` selects another one. `None` if there is none."""
    names = [os.environ.get('SWIFTLET_CHROMIUM', ''), 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
    return next((found for name in names if name and (found := shutil.which(name))), None)


def visit(address, *options, dark=False, width=1000, height=700):
    """Returns Chromium's output about a page, and the errors of the page's scripts."""
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [program(), '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
             '--disable-background-networking', '--disable-component-update', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--user-data-dir=' + profile,
             f'--window-size={width},{height}', '--hide-scrollbars', f'--blink-settings=preferredColorScheme={0 if dark else 1}', '--virtual-time-budget=10000',
             '--enable-logging=stderr', '--log-level=0', *options, address],
            text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f'error: {program()} ended with {done.returncode} on {address}:\n{done.stderr[-2000:]}')
    return done.stdout, [line for line in done.stderr.splitlines() if ':CONSOLE' in line]


def look(site, screenshots):
    """Opens the pages of `PAGES`, in light and dark if they are `DRAWN`, and writes screenshots of these to a directory. Returns the problems, as lines for a
    terminal."""
    os.makedirs(screenshots, exist_ok=True)
    with Server(site) as server, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [fault for faults in pool.map(lambda page: look_at(server.address, page, screenshots), PAGES) for fault in faults]


def look_at(address, page, screenshots):
    document, console = visit(address + page, '--dump-dom')
    shown = re.sub(r'\s+', ' ', re.sub(r'<[^>]*>', '', document))
    faults = [f'{page} does not show "{text}"' for text in PAGES[page] if text not in shown] + [f'{page}: {line}' for line in console]
    if page in DRAWN:
        lightness = []
        for scheme in ('light', 'dark'):
            path = os.path.join(screenshots, page.strip('/').replace('/', '-') + f'-{scheme}.png')
            visit(address + page, '--screenshot=' + path, dark=scheme == 'dark')
            mean, kinds = pixel_statistics(path)
            lightness.append(mean)
            if kinds < 16:
                faults.append(f'{path} has {kinds} values of green: nothing is drawn there')
        if lightness[0] < lightness[1] + 32:
            faults.append(f'{page} looks the same in light ({lightness[0]:.0f}) and dark ({lightness[1]:.0f})')
    return faults


def pixel_statistics(path):
    """Returns the mean of all bytes of a PNG file from Chromium (8 bits, RGB or RGBA, not interlaced), and the number of distinct green values."""
    with open(path, 'rb') as file:
        data = file.read()
    width, height, _, kind = struct.unpack('>IIBB', data[16:26])
    size, place, packed = {2: 3, 6: 4}[kind], 8, b''
    while place < len(data):
        length, name = struct.unpack('>I4s', data[place:place + 8])
        packed += data[place + 8:place + 8 + length] if name == b'IDAT' else b''
        place += 12 + length
    raw, stride = zlib.decompress(packed), width * size
    row, total, greens = bytearray(stride), 0, set()
    for line in range(height):
        filtering, new = raw[line * (stride + 1)], bytearray(raw[line * (stride + 1) + 1:(line + 1) * (stride + 1)])
        unfilter(filtering, new, row, size)
        row = new
        if line % 8 == 0:
            total += sum(row)
            greens.update(row[1::size])
    return total / (len(range(0, height, 8)) * stride), len(greens)


def unfilter(kind, row, above, size):
    """Reverses the filter of one row: PNG specification, section 9."""
    if kind == 0:
        return
    for at, value in enumerate(row):
        left, up, corner = (row[at - size], above[at], above[at - size]) if at >= size else (0, above[at], 0)
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = left if to_left <= to_up and to_left <= to_corner else up if to_up <= to_corner else corner
        row[at] = (value + guess) & 255
