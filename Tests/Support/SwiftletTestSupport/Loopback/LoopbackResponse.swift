import Foundation

/// A response of a `LoopbackServer`, including how its delivery fails.
package struct LoopbackResponse: Sendable {
  package enum Delivery: Sendable {
    case whole
    /// The connection is closed after the given number of bytes of the body.
    case cut(after: Int)
    /// The connection is reset after the given number of bytes, which is an error on the other side.
    case reset(after: Int)
    /// Nothing more is sent after the given number of bytes, until the other side closes the connection.
    case stall(after: Int)
    /// One byte at a time, until the other side closes the connection; after 300 bytes, ten per second. Each byte costs
    /// Foundation on Linux a good part of a millisecond, and the end of a transfer can be minutes away while other
    /// tests run.
    case drip(seconds: Double)
    /// The body is repeated until the other side closes the connection: the given number of bytes at full speed, then
    /// slowly. Foundation on Linux occupies a core as long as bytes wait to be received, which can take minutes while
    /// other tests run.
    case endless(fastByteCount: Int = 2 << 20)
  }

  package enum Length: Sendable {
    case actual
    /// No `Content-Length`: the end of the connection ends the body.
    case none
    case claimed(String)
    /// `Transfer-Encoding: chunked`.
    case chunked
  }

  package var status: Int
  package var headers: [String: String]
  package var body: [UInt8]
  package var length: Length
  package var delivery: Delivery
  /// A closure that receives the number of bytes whenever the connection has sent more of an endless body.
  package var noteSent: @Sendable (Int) -> Void = { _ in }
  private var isRaw = false

  package init(
    status: Int = 200, headers: [String: String] = [:], body: [UInt8] = [], length: Length = .actual,
    delivery: Delivery = .whole
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.length = length
    self.delivery = delivery
  }

  /// Creates a response of exactly these bytes, valid or not, followed by the end of the connection.
  package init(raw: [UInt8]) {
    self.init(body: raw)
    isRaw = true
  }

  package init(status: Int = 200, headers: [String: String] = [:], json: String) {
    self.init(status: status, headers: headers, body: Array(json.utf8))
  }

  /// Returns a file as static servers do: `ETag`, `If-None-Match`, `Range`, and `If-Range`.
  package static func file(_ bytes: [UInt8], etag: String? = nil, for request: LoopbackServer.Request)
    -> LoopbackResponse
  {
    var headers: [String: String] = [:]
    if let etag { headers["ETag"] = etag }
    if let etag, request.headers["if-none-match"] == etag {
      return LoopbackResponse(status: 304, headers: headers, length: .none)
    }
    guard let range = request.headers["range"], range.hasPrefix("bytes="),
      let first = Int(range.dropFirst(6).dropLast()),
      request.headers["if-range"] == nil || request.headers["if-range"] == etag
    else { return LoopbackResponse(headers: headers, body: bytes) }
    guard first < bytes.count else {
      headers["Content-Range"] = "bytes */\(bytes.count)"
      return LoopbackResponse(status: 416, headers: headers)
    }
    headers["Content-Range"] = "bytes \(first)-\(bytes.count - 1)/\(bytes.count)"
    return LoopbackResponse(status: 206, headers: headers, body: Array(bytes[first...]))
  }

  /// Returns the same response with another delivery.
  package func delivered(_ delivery: Delivery) -> LoopbackResponse {
    var response = self
    response.delivery = delivery
    return response
  }

  func send(to connection: Int32) {
    if isRaw {
      _ = LoopbackSocket.send(body, to: connection)
      return
    }
    var fields = headers
    var content = body
    switch length {
    case .actual: fields["Content-Length"] = String(body.count)
    case .claimed(let text): fields["Content-Length"] = text
    case .none: break
    case .chunked:
      fields["Transfer-Encoding"] = "chunked"
      content = Array((String(body.count, radix: 16) + "\r\n").utf8) + body + Array("\r\n0\r\n\r\n".utf8)
    }
    let head =
      "HTTP/1.1 \(status) Answer\r\n" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)\r\n" }.joined()
    guard LoopbackSocket.send(Array((head + "Connection: close\r\n\r\n").utf8), to: connection) else { return }
    switch delivery {
    case .whole: _ = LoopbackSocket.send(content, to: connection)
    case .cut(let count): _ = LoopbackSocket.send(Array(content.prefix(count)), to: connection)
    case .reset(let count):
      _ = LoopbackSocket.send(Array(content.prefix(count)), to: connection)
      LoopbackSocket.tearDown(connection)
    case .stall(let count):
      _ = LoopbackSocket.send(Array(content.prefix(count)), to: connection)
      LoopbackSocket.waitForEnd(connection)
    case .drip(let seconds):
      for (index, byte) in content.enumerated() {
        guard LoopbackSocket.send([byte], to: connection) else { return }
        Thread.sleep(forTimeInterval: index < 300 ? seconds : 0.1)
      }
      LoopbackSocket.waitForEnd(connection)
    case .endless(let fastByteCount):
      var sent = 0
      while !content.isEmpty, LoopbackSocket.send(content, to: connection) {
        noteSent(content.count)
        sent += content.count
        if sent > fastByteCount { Thread.sleep(forTimeInterval: 0.1) }
      }
    }
  }
}

extension LoopbackResponse: CustomStringConvertible {
  package var description: String { "status \(status), \(body.count) bytes" }
}
