import Foundation
import SwiftletBase

/// The socket calls of a `LoopbackServer`.
enum LoopbackSocket {
  struct Failure: Error {
    var call: String
    var number: Int32
  }

  #if canImport(Darwin)
    private static let stream = SOCK_STREAM
    private static let sendFlags: Int32 = 0
  #elseif canImport(Musl)
    private static let stream = SOCK_STREAM
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #else
    private static let stream = Int32(SOCK_STREAM.rawValue)
    private static let sendFlags = Int32(MSG_NOSIGNAL)
  #endif

  /// Returns a socket that listens on a free port of 127.0.0.1.
  static func listen() throws -> (Int32, UInt16) {
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket", number: errno) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Int32 in
        guard bind(descriptor, address, length) == 0, SwiftletBase.listen(descriptor, 64) == 0 else { return -1 }
        return getsockname(descriptor, address, &length)
      }
    }
    guard result == 0 else {
      let number = errno
      SwiftletBase.close(descriptor)
      throw Failure(call: "bind", number: number)
    }
    return (descriptor, UInt16(bigEndian: address.sin_port))
  }

  /// Returns the next connection, or `nil` once the listener is closed.
  static func accept(_ listener: Int32) -> Int32? {
    while true {
      let connection = SwiftletBase.accept(listener, nil, nil)
      if connection >= 0 {
        var on: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
          setsockopt(connection, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return connection
      }
      guard errno == EINTR || errno == ECONNABORTED else { return nil }
    }
  }

  /// Reads the headers and as many bytes of the body as they announce.
  static func request(_ connection: Int32) -> LoopbackServer.Request? {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    func receive() -> Bool {
      let count = recv(connection, &buffer, buffer.count, 0)
      guard count > 0, bytes.count < 1 << 16 else { return false }
      bytes += buffer[..<count]
      return true
    }
    while bytes.firstRange(of: Array("\r\n\r\n".utf8)) == nil { guard receive() else { return nil } }
    let end = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? bytes.count
    let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count == 3 else { return nil }
    let target = words[1].split(separator: "?", maxSplits: 1).map(String.init)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
      if parts.count == 2 {
        headers[parts[0].lowercased()] = parts[1]
      } else if line.hasSuffix(":") {
        headers[line.dropLast().lowercased()] = ""
      }
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while bytes.count - end < length { guard receive() else { return nil } }
    return LoopbackServer.Request(
      method: String(words[0]), path: target[0], query: target.count > 1 ? target[1] : "", headers: headers,
      body: Array(bytes[end...]))
  }

  /// Sends all bytes.
  ///
  /// - Returns: Whether the other side accepted them.
  static func send(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { SwiftletBase.send(connection, $0.baseAddress, $0.count, sendFlags) }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Returns when the other side has closed the connection.
  static func waitForEnd(_ connection: Int32) {
    var buffer = [UInt8](repeating: 0, count: 256)
    while recv(connection, &buffer, buffer.count, 0) > 0 {}
  }

  /// Makes closing the connection a reset.
  static func tearDown(_ connection: Int32) {
    // Wait until the bytes have been sent, because a reset discards pending bytes.
    Thread.sleep(forTimeInterval: 0.05)
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(connection, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Closes a connection, or wakes a thread that waits for one.
  static func shutdown(_ connection: Int32) { _ = SwiftletBase.shutdown(connection, Int32(SHUT_RDWR)) }

  static func close(_ descriptor: Int32) { _ = SwiftletBase.close(descriptor) }
}
