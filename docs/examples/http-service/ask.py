"""Sends valid and invalid requests to the service and checks its responses: ask.py ADDRESS IMAGE EXPECTED.json"""

import http.client
import json
import socket
import sys
import threading
import time
import urllib.parse

ADDRESS = urllib.parse.urlparse(sys.argv[1])
IMAGE = open(sys.argv[2], "rb").read()
EXPECTED = json.load(open(sys.argv[3]))["classifications"][0]["categories"]


def ask(method, path, body=None, connection=None):
    """Return the status and the body of the response."""
    own = connection or http.client.HTTPConnection(ADDRESS.hostname, ADDRESS.port, timeout=60)
    own.request(method, path, body)
    answer = own.getresponse()
    return answer.status, json.loads(answer.read())


def raw(data, pause=0.0):
    """Send raw bytes and return the status of the response, or None if there is none."""
    with socket.create_connection((ADDRESS.hostname, ADDRESS.port), timeout=60) as client:
        for piece in data if isinstance(data, list) else [data]:
            try:
                client.sendall(piece)
            except OSError:
                break
            time.sleep(pause)
        answer = b""
        try:
            while more := client.recv(65536):
                answer += more
        except OSError:
            pass
    return int(answer.split()[1]) if answer else None


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"check: {what}: {found!r}, expected {wanted!r}")


def check_answers():
    status, answer = ask("POST", "/classify", IMAGE)
    expect("an image", status, 200)
    expect("its categories", [(item["name"], item["index"]) for item in answer["categories"]], [(item["name"], item["index"]) for item in EXPECTED])
    for item, wanted in zip(answer["categories"], EXPECTED):
        expect("its scores", abs(item["score"] - wanted["score"]) < 1e-6, True)
    # Several requests on one connection, among them a bad image.
    connection = http.client.HTTPConnection(ADDRESS.hostname, ADDRESS.port, timeout=60)
    for body, wanted in [(IMAGE, 200), (IMAGE[:-30], 422), (b"", 422), (IMAGE, 200)]:
        expect("a connection that stays", ask("POST", "/classify", body, connection)[0], wanted)
    expect("health", ask("GET", "/health", None, connection), (200, {"status": "ok"}))
    expect("another method", ask("GET", "/classify")[0], 405)
    expect("another path", ask("GET", "/")[0], 404)


def check_refusals():
    post = b"POST /classify HTTP/1.1\r\nHost: here\r\n"
    for what, data, wanted in [
        ("no request line", b"hello\r\n\r\n", 400),
        ("another version", b"GET /health HTTP/1.0\r\n\r\n", 505),
        ("no length", post + b"\r\n", 411),
        ("a length that is none", post + b"Content-Length: -1\r\n\r\n", 400),
        ("two lengths", post + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
        ("a long body", post + b"Content-Length: 8388609\r\n\r\n", 413),
        ("a length beyond all numbers", post + b"Content-Length: " + b"9" * 100 + b"\r\n\r\n", 413),
        ("chunks", post + b"Transfer-Encoding: chunked\r\n\r\n", 501),
        ("a line that ends in another way", b"GET /health HTTP/1.1\r\nA: b\nContent-Length: 3\r\n\r\n", 400),
        ("a header that goes on", b"GET /health HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400),
        ("long headers", b"GET /health HTTP/1.1\r\nX: " + b"x" * 100_000, 431),
    ]:
        expect(what, raw(data), wanted)
    # Slow clients: an occasional byte doesn't keep a connection open.
    results = {}

    def slow(name, pieces):
        results[name] = raw(pieces, pause=0.5)

    slow_ones = [
        threading.Thread(target=slow, args=("a slow head", [b"GET /health HTTP/1.1\r\n"] + [b"X"] * 40)),
        threading.Thread(target=slow, args=("a slow body", [post + b"Content-Length: 1000\r\n\r\n"] + [b"x"] * 40)),
    ]
    start = time.monotonic()
    for thread in slow_ones:
        thread.start()
    # Other clients are served in the meantime.
    expect("an image beside slow clients", ask("POST", "/classify", IMAGE)[0], 200)
    for thread in slow_ones:
        thread.join()
    expect("slow clients", set(results.values()) <= {408, None}, True)
    expect("the time of slow clients", time.monotonic() - start < 50, True)


def check_connections():
    held = [socket.create_connection((ADDRESS.hostname, ADDRESS.port), timeout=60) for _ in range(128)]
    time.sleep(0.5)
    expect("one connection too many", raw(b"GET /health HTTP/1.1\r\n\r\n"), 503)
    for connection in held:
        connection.close()
    for _ in range(100):
        if raw(b"GET /health HTTP/1.1\r\nConnection: close\r\n\r\n") == 200:
            return
        time.sleep(0.05)
    sys.exit("check: the service does not come back after many connections")


def check_load():
    """Run sixteen concurrent clients, some of which send bad images or disconnect."""
    wrong = []

    def client(number):
        connection = http.client.HTTPConnection(ADDRESS.hostname, ADDRESS.port, timeout=60)
        for turn in range(20):
            if number % 4 == 0 and turn % 5 == 0:
                with socket.create_connection((ADDRESS.hostname, ADDRESS.port)) as gone:
                    gone.sendall(b"POST /classify HTTP/1.1\r\nContent-Length: 100000\r\n\r\n" + IMAGE[:100])
            is_bad = (number + turn) % 7 == 0
            status, answer = ask("POST", "/classify", IMAGE[:-30] if is_bad else IMAGE, connection)
            if status != (422 if is_bad else 200) or (not is_bad and answer["categories"][0]["index"] != EXPECTED[0]["index"]):
                wrong.append((number, turn, status, answer))

    clients = [threading.Thread(target=client, args=(number,)) for number in range(16)]
    for thread in clients:
        thread.start()
    for thread in clients:
        thread.join()
    expect("sixteen clients", wrong, [])


check_answers()
check_refusals()
check_connections()
check_load()
