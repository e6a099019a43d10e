import Foundation
import SwiftletBase

#if os(Windows)
  /// This platform's sockets are of another kind, which isn't supported.
  struct Socket: Sendable {
    static func listeners(port: UInt16) throws(ServerFailure) -> (sockets: [Socket], port: UInt16) {
      throw ServerFailure("a local server is not supported on Windows")
    }
    func accept() throws(ServerFailure) -> Socket { self }
    func isReadable(until deadline: ContinuousClock.Instant) -> Bool { false }
    func receive(into bytes: inout [UInt8]) -> Bool { false }
    func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool { false }
    func endSending() {}
    func close() {}
  }
#else
  /// A TCP socket of this machine's loopback interface.
  struct Socket: Sendable {
    private let descriptor: Int32

    // MARK: Listening

    /// Listens on a port of 127.0.0.1 and, if the machine has it, of ::1.
    ///
    /// - Parameter port: The port, or 0 to let the system choose one.
    /// - Returns: The sockets and their port.
    /// - Throws: `ServerFailure` with the system's error.
    static func listeners(port: UInt16) throws(ServerFailure) -> (sockets: [Socket], port: UInt16) {
      let (first, chosen) = try listener(onPort: port)
      guard let second = try? listener6(onPort: chosen) else { return ([first], chosen) }
      return ([first, second], chosen)
    }

    private static func listener(onPort port: UInt16) throws(ServerFailure) -> (Socket, UInt16) {
      let socket = try Socket(family: AF_INET)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
      try socket.listen(on: &address, "127.0.0.1:\(port)")
      return (socket, UInt16(bigEndian: address.sin_port))
    }

    private static func listener6(onPort port: UInt16) throws(ServerFailure) -> Socket {
      let socket = try Socket(family: AF_INET6)
      socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY)
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_addr = in6addr_loopback
      try socket.listen(on: &address, "[::1]:\(port)")
      return socket
    }

    private init(family: Int32) throws(ServerFailure) {
      #if canImport(Darwin)
        let stream = SOCK_STREAM
      #elseif canImport(Musl) || canImport(Android)
        let stream = Int32(SOCK_STREAM)
      #else
        let stream = Int32(SOCK_STREAM.rawValue)
      #endif
      descriptor = socket(family, stream, 0)
      guard descriptor >= 0 else { throw .system("no socket") }
      set(SOL_SOCKET, SO_REUSEADDR)
    }

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Binds to the address, and replaces it with the one that the system chose.
    private func listen<Address>(on address: inout Address, _ name: String) throws(ServerFailure) {
      var length = socklen_t(MemoryLayout<Address>.size)
      let isBound = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
          bind(descriptor, general, length) == 0 && Foundation.listen(descriptor, 64) == 0
            && getsockname(descriptor, general, &length) == 0
        }
      }
      guard isBound else {
        let failure = ServerFailure.system("\(name) cannot be used")
        close()
        throw failure
      }
    }

    private func set(_ level: Int32, _ option: Int32) {
      var yes: Int32 = 1
      setsockopt(descriptor, level, option, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Waits for the next connection and returns it.
    ///
    /// - Throws: `ServerFailure` if no more connections can be accepted.
    func accept() throws(ServerFailure) -> Socket {
      while true {
        let connection = Foundation.accept(descriptor, nil, nil)
        if connection >= 0 {
          let socket = Socket(connection)
          // Responses to frames are small and should be sent immediately.
          socket.set(Int32(IPPROTO_TCP), TCP_NODELAY)
          #if canImport(Darwin)
            socket.set(SOL_SOCKET, SO_NOSIGPIPE)
          #endif
          return socket
        }
        switch errno {
        case EINTR, ECONNABORTED: continue
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)  // wait until connections close
        default: throw .system("no connection")
        }
      }
    }

    // MARK: Bytes

    func isReadable(until deadline: ContinuousClock.Instant) -> Bool { isReady(POLLIN, until: deadline) }

    /// Appends the bytes that have arrived.
    ///
    /// - Returns: Whether there were any; otherwise, the client has closed the connection.
    func receive(into bytes: inout [UInt8]) -> Bool {
      withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { piece in
        while true {
          let count = recv(descriptor, piece.baseAddress, piece.count, 0)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { return false }
          bytes += UnsafeRawBufferPointer(piece)[..<count]
          return true
        }
      }
    }

    /// Sends all bytes.
    ///
    /// - Returns: Whether the client accepted them in time.
    func send(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) -> Bool {
      #if canImport(Darwin)
        let flags = MSG_DONTWAIT
      #else
        let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
      #endif
      return bytes.withUnsafeBytes { all in
        var rest = all[...]
        while !rest.isEmpty {
          guard isReady(POLLOUT, until: deadline) else { return false }
          let part = UnsafeRawBufferPointer(rebasing: rest)
          let count = Foundation.send(descriptor, part.baseAddress, part.count, flags)
          guard count > 0 || errno == EAGAIN || errno == EINTR else { return false }
          rest = rest.dropFirst(max(0, count))
        }
        return true
      }
    }

    func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }
    func close() { _ = Foundation.close(descriptor) }

    private func isReady(_ event: some BinaryInteger, until deadline: ContinuousClock.Instant) -> Bool {
      while true {
        let left = max(.zero, deadline - .now).components
        let milliseconds = left.seconds * 1000 + left.attoseconds / 1_000_000_000_000_000
        var waiting = pollfd(fd: descriptor, events: Int16(event), revents: 0)
        let count = poll(&waiting, 1, Int32(clamping: milliseconds))
        if count > 0 { return true }
        if count == 0 || errno != EINTR { return false }
      }
    }
  }
#endif

/// The reason why a server cannot work.
package struct ServerFailure: Error, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }

  /// Returns a failure with the system's last error.
  static func system(_ what: String) -> ServerFailure { ServerFailure("\(what): \(String(cString: strerror(errno)))") }
}
