import Testing

@testable import SwiftletLocalServer

/// Heads that are accepted, and heads that parsers could read in different ways.
@Suite struct HTTPRequestTests {
  private func request(_ head: String) throws -> HTTPRequest { try HTTPRequest(head: Array(head.utf8)) }

  private func status(_ head: String) -> Int? {
    do throws(HTTPFailure) {
      _ = try HTTPRequest(head: Array(head.utf8))
      return nil
    } catch {
      return error.status
    }
  }

  @Test func targetAndHeadersAreDecoded() throws {
    let request = try request(
      "POST /api/run+x?task=detect-faces&allow=a%2Cb%C3%A9+c%2B&flag HTTP/1.1\r\nHost:  h \r\nX-A: 1\r\nContent-Type: Image/PNG; x=1\r\nContent-Length: 12"
    )
    #expect(request.method == "POST")
    #expect(request.path == "/api/run+x")
    #expect(request.query == ["task": "detect-faces", "allow": "a,bé c+", "flag": ""])
    #expect(request.headers["host"] == "h")
    #expect(request.headers["x-a"] == "1")
    #expect(request.contentType == "image/png")
    #expect(request.bodyByteCount == 12)
    #expect(request.keepsConnection)
  }

  @Test func repeatedListsAreJoined() throws {
    #expect(try request("GET / HTTP/1.1\r\nAccept: a\r\nAccept: b").headers["accept"] == "a, b")
  }

  @Test(arguments: [
    ("", 400), ("GET", 400), ("GET /", 400), ("GET  / HTTP/1.1", 400), ("get / HTTP/1.1", 400),
    ("GET / HTTP/1.0", 505), ("GET / HTTP/2", 505), ("GET http://h/ HTTP/1.1", 400), ("GET * HTTP/1.1", 400),
    ("GET /%zz HTTP/1.1", 400), ("GET /%f HTTP/1.1", 400), ("GET /%ff HTTP/1.1", 400), ("GET /?a=1&a=2 HTTP/1.1", 400),
    ("GET / HTTP/1.1\r\nHost", 400), ("GET / HTTP/1.1\r\n: x", 400), ("GET / HTTP/1.1\r\n A: x", 400),
    ("GET / HTTP/1.1\r\nA b: x", 400), ("GET / HTTP/1.1\r\nA: x\r\n folded", 400),
    ("GET / HTTP/1.1\r\nHost: a\r\nHost: b", 400), ("GET / HTTP/1.1\r\nHOST: a\r\nhost: b", 400),
    ("GET / HTTP/1.1\nHost: a", 400), ("GET / HTTP/1.1\r\nA: \u{0}", 400), ("GET / HTTP/1.1\r\nA: \u{7f}", 400),
    ("POST / HTTP/1.1", 411), ("POST / HTTP/1.1\r\nContent-Length:", 400),
    ("POST / HTTP/1.1\r\nContent-Length: -1", 400), ("POST / HTTP/1.1\r\nContent-Length: +1", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 0x1", 400), ("POST / HTTP/1.1\r\nContent-Length: 1, 1", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1", 400),
    ("POST / HTTP/1.1\r\nContent-Length: 9999999999999999999", 400),
    ("POST / HTTP/1.1\r\nTransfer-Encoding: chunked", 501),
    ("POST / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 501),
  ])
  func ambiguousHeadsAreRejected(head: String, expected: Int) { #expect(status(head) == expected) }

  @Test func theLongestContentLengthIsRead() throws {
    #expect(
      try request("POST / HTTP/1.1\r\nContent-Length: 999999999999999999").bodyByteCount == 999_999_999_999_999_999)
  }
}
