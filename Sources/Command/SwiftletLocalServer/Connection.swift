/// A client's connection. Reading and writing have time limits.
struct Connection {
  private let socket: Socket
  /// The bytes that were read but not used yet.
  private var buffer: [UInt8] = []

  init(_ socket: Socket) { self.socket = socket }

  // MARK: Requests

  /// Returns the head of the next request, or `nil` if the client sends no more.
  ///
  /// - Throws: `HTTPFailure` for an invalid head, and for one that is too large or arrives too slowly.
  mutating func head(_ limits: ServerLimits) throws(HTTPFailure) -> HTTPRequest? {
    if buffer.isEmpty {
      guard socket.isReadable(until: .now + limits.idleTime), receive() else { return nil }
    }
    let deadline = ContinuousClock.now + limits.transferTime
    var searched = 0
    while true {
      if let end = endOfHead(from: searched) {
        guard end <= limits.headByteCount else { break }
        let request = try HTTPRequest(head: buffer[..<end])
        buffer.removeFirst(end + 4)
        return request
      }
      guard buffer.count <= limits.headByteCount else { break }
      // The separator can already have begun in the previous bytes.
      searched = max(0, buffer.count - 3)
      try receive(until: deadline)
    }
    throw HTTPFailure(431, "the headers have more than \(limits.headByteCount) bytes")
  }

  private func endOfHead(from start: Int) -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (start..<max(start, buffer.count - 3)).first { index in
      buffer[index] == 13 && buffer[index + 1] == 10 && buffer[index + 2] == 13 && buffer[index + 3] == 10
    }
  }

  /// Reads the body of a request.
  ///
  /// - Throws: `HTTPFailure` if it arrives too slowly or ends too early.
  mutating func body(of request: HTTPRequest, _ limits: ServerLimits) throws(HTTPFailure) -> [UInt8] {
    let count = request.bodyByteCount, deadline = ContinuousClock.now + limits.time(for: request.bodyByteCount)
    if request.expectsContinue, count > buffer.count {
      guard socket.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: deadline) else {
        throw HTTPFailure(400, "the client closed the connection")
      }
    }
    while buffer.count < count { try receive(until: deadline) }
    if buffer.count == count {
      defer { buffer = [] }
      return buffer
    }
    let body = Array(buffer[..<count])
    buffer.removeFirst(count)
    return body
  }

  private mutating func receive(until deadline: ContinuousClock.Instant) throws(HTTPFailure) {
    guard socket.isReadable(until: deadline) else { throw HTTPFailure(408, "the request arrived too slowly") }
    guard receive() else { throw HTTPFailure(400, "the request ended too early") }
  }

  private mutating func receive() -> Bool { socket.receive(into: &buffer) }

  // MARK: Responses

  /// Sends a response.
  ///
  /// - Returns: Whether the client accepted it in time.
  func answer(_ response: HTTPResponse, keepsConnection: Bool, _ limits: ServerLimits) -> Bool {
    let deadline = ContinuousClock.now + limits.time(for: response.body.count)
    return socket.send(response.head(keepsConnection: keepsConnection), until: deadline)
      && socket.send(response.body, until: deadline)
  }

  /// Closes the connection. Bytes that the client is still sending are read for a moment, because it would lose the
  /// response otherwise.
  func close(afterReading: Bool) {
    if afterReading {
      socket.endSending()
      let deadline = ContinuousClock.now + .milliseconds(500)
      var rest: [UInt8] = []
      while socket.isReadable(until: deadline), socket.receive(into: &rest) { rest.removeAll(keepingCapacity: true) }
    }
    socket.close()
  }
}
