import Foundation

/// A client's connection. Reading and writing have time limits.
struct Connection {
  private let descriptor: Int32
  /// The bytes that were read but not used yet.
  private var buffer: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  // MARK: Requests

  /// Returns the next request and its body, or `nil` if the client sends no more.
  ///
  /// - Throws: `Refusal` for an invalid request, and for one that is too large or arrives too slowly.
  mutating func request(_ limits: Limits) throws(Refusal) -> (Request, body: [UInt8])? {
    if buffer.isEmpty {
      guard try receive(until: .now + limits.idleTime, isIdle: true) else { return nil }
    }
    let deadline = ContinuousClock.now + limits.transferTime
    let end = try headEnd(limits, deadline)
    let request = try Request(head: buffer[..<end], limits: limits)
    buffer.removeFirst(end + 4)
    if request.expectsContinue, request.bodyByteCount > buffer.count {
      guard send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8), until: deadline) else { return nil }
    }
    while buffer.count < request.bodyByteCount {
      guard try receive(until: deadline) else { return nil }
    }
    let body = Array(buffer[..<request.bodyByteCount])
    buffer.removeFirst(request.bodyByteCount)
    return (request, body)
  }

  /// Returns the index of the empty line after the headers.
  private mutating func headEnd(_ limits: Limits, _ deadline: ContinuousClock.Instant) throws(Refusal) -> Int {
    let mark = Array("\r\n\r\n".utf8)
    var searched = 0
    while true {
      if let end = buffer[searched...].firstRange(of: mark)?.lowerBound {
        guard end <= limits.headByteCount else { break }
        return end
      }
      guard buffer.count <= limits.headByteCount else { break }
      // The separator can already have begun in the previous bytes.
      searched = max(0, buffer.count - 3)
      guard try receive(until: deadline) else { throw Refusal(400, "the request has no end") }
    }
    throw Refusal(431, "the headers have more than the \(limits.headByteCount) bytes that they may have")
  }

  // MARK: Responses

  /// Sends a response.
  ///
  /// - Returns: Whether the client accepted it in time.
  func answer(_ status: Int, _ body: [UInt8], keeps: Bool, _ limits: Limits) -> Bool {
    let head =
      "HTTP/1.1 \(status) \(Refusal.phrase(status))\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n"
      + (status == 503 ? "Retry-After: 1\r\n" : "") + (keeps ? "" : "Connection: close\r\n") + "\r\n"
    return send(Array(head.utf8) + body, until: .now + limits.transferTime)
  }

  /// Closes the connection. Bytes that the client is still sending are read for a moment, because it would lose the
  /// response otherwise.
  func close(afterReading: Bool) {
    if afterReading {
      shutdown(descriptor, Int32(SHUT_WR))
      var rest = [UInt8](repeating: 0, count: 1 << 16)
      let deadline = ContinuousClock.now + .seconds(1)
      while isReady(POLLIN, until: deadline), recv(descriptor, &rest, rest.count, 0) > 0 {}
    }
    Foundation.close(descriptor)
  }

  // MARK: Bytes

  /// Reads the available bytes, and waits for at least one.
  ///
  /// - Returns: Whether any arrived before the client closed the connection or the idle time was over.
  private mutating func receive(until deadline: ContinuousClock.Instant, isIdle: Bool = false) throws(Refusal) -> Bool {
    guard isReady(POLLIN, until: deadline) else {
      if isIdle { return false }
      throw Refusal(408, "the request came too slowly")
    }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    buffer += piece[..<count]
    return true
  }

  private func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard isReady(POLLOUT, until: deadline) else { return false }
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT)) }
      guard count > 0 || errno == EAGAIN || errno == EINTR else { return false }
      rest = rest.dropFirst(max(0, count))
    }
    return true
  }

  /// Waits until bytes can be read or written.
  private func isReady(_ event: some BinaryInteger, until deadline: ContinuousClock.Instant) -> Bool {
    while true {
      let left = (deadline - .now).components
      let milliseconds = max(0, left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000)
      var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
      let count = poll(&waiting, 1, Int32(clamping: milliseconds))
      if count > 0 { return true }
      if count == 0 || errno != EINTR { return false }
    }
  }
}
