import Foundation

/// Accepts connections on a port of this machine.
struct Listener {
  private let descriptor: Int32
  /// The port, even if the system chose it.
  let port: UInt16

  /// Opens a port.
  ///
  /// - Parameter port: The port, or 0 to let the system choose one.
  /// - Throws: `Refusal` with the system's error.
  init(port: UInt16) throws(Refusal) {
    #if canImport(Darwin)
      let stream = SOCK_STREAM
    #else
      let stream = Int32(SOCK_STREAM.rawValue)
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    guard descriptor >= 0 else { throw Self.failure("no socket") }
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
        bind(descriptor, general, length) == 0 && listen(descriptor, 128) == 0
          && getsockname(descriptor, general, &length) == 0
      }
    }
    guard isBound else { throw Self.failure("port \(port)") }
    self.descriptor = descriptor
    self.port = UInt16(bigEndian: address.sin_port)
  }

  /// Waits for the next connection and returns it.
  ///
  /// - Throws: `Refusal` if no more connections can be accepted.
  func accept() throws(Refusal) -> Int32 {
    while true {
      let connection = Foundation.accept(descriptor, nil, nil)
      if connection >= 0 {
        // Responses are small and should be sent immediately.
        var yes: Int32 = 1
        setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return connection
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: usleep(10_000)  // wait until connections close
      default: throw Self.failure("no connection")
      }
    }
  }

  private static func failure(_ what: String) -> Refusal {
    Refusal(500, "\(what): \(String(cString: strerror(errno)))")
  }
}
