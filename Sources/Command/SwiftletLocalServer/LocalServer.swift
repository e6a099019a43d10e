import Foundation
import SwiftletBase
import SwiftletJSON

/// An HTTP/1.1 server for programs of this machine, above all for a page in a browser.
///
/// It listens only on the loopback interface. It accepts only requests that contain a token and that no foreign page
/// sent. Unaccepted requests are answered before their bodies are read.
///
/// - Thread safety: callable concurrently. Each connection has a thread.
package final class LocalServer: Sendable {
  package typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

  /// The resources that connections use now.
  private struct Use {
    var connections = 0
    var bodyByteCount = 0
  }

  package let port: UInt16
  /// The secret that requests contain.
  package let token: String
  private let sockets: [Socket]
  private let limits: ServerLimits
  private let rule: AccessRule
  private let handler: Handler
  private let use = Mutex(Use())

  /// The address of the page.
  package var address: String { "http://127.0.0.1:\(port)/?\(AccessRule.parameter)=\(token)" }

  /// Opens a port.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 to let the system choose one.
  ///   - handler: Returns the response to an accepted request. Called concurrently.
  /// - Throws: `ServerFailure` if the port cannot be used.
  package init(
    port: UInt16, token: String = LocalServer.randomToken(), limits: ServerLimits = ServerLimits(),
    handler: @escaping Handler
  ) throws(ServerFailure) {
    (sockets, self.port) = try Socket.listeners(port: port)
    (self.token, self.limits, self.handler) = (token, limits, handler)
    rule = AccessRule(port: self.port, token: token)
  }

  /// Returns 128 random bits as text.
  package static func randomToken() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Accepts connections in the background; returns immediately.
  package func start() {
    for socket in sockets {
      thread { [self] in
        while let connection = try? socket.accept() { serve(connection) }
      }
    }
  }

  private func thread(_ body: @escaping @Sendable () -> Void) {
    let thread = Thread(block: body)
    thread.stackSize = 4 << 20
    thread.start()
  }

  private func serve(_ socket: Socket) {
    let isAdmitted = use.withLock { use in
      guard use.connections < limits.connections else { return false }
      use.connections += 1
      return true
    }
    guard isAdmitted else {
      refuse(HTTPFailure(503, "there are too many connections"), Connection(socket))
      return Connection(socket).close(afterReading: false)
    }
    thread { [self] in
      defer { use.withLock { $0.connections -= 1 } }
      converse(Connection(socket))
    }
  }

  private func converse(_ connection: Connection) {
    var connection = connection
    do throws(HTTPFailure) {
      while let request = try connection.head(limits) {
        try rule.check(request)
        let response = try withRoom(for: request.bodyByteCount) { () throws(HTTPFailure) in
          var request = request
          request.body = try connection.body(of: request, limits)
          return handler(request)
        }
        let keeps = request.keepsConnection
        guard connection.answer(response, keepsConnection: keeps, limits), keeps else { break }
      }
      connection.close(afterReading: false)
    } catch {
      // The end of the request is unknown, so the connection cannot be used again.
      refuse(error, connection)
      connection.close(afterReading: true)
    }
  }

  /// Runs `body` while a number of bytes are reserved.
  private func withRoom(
    for count: Int, _ body: () throws(HTTPFailure) -> HTTPResponse
  ) throws(HTTPFailure) -> HTTPResponse {
    guard count <= limits.bodyByteCount else {
      throw HTTPFailure(413, "the body has \(count) bytes; the maximum is \(limits.bodyByteCount)")
    }
    let hasRoom = use.withLock { use in
      guard use.bodyByteCount + count <= limits.totalBodyByteCount else { return false }
      use.bodyByteCount += count
      return true
    }
    guard hasRoom else { throw HTTPFailure(503, "too many large requests are in progress; try again later") }
    defer { use.withLock { $0.bodyByteCount -= count } }
    return try body()
  }

  private func refuse(_ failure: HTTPFailure, _ connection: Connection) {
    _ = connection.answer(HTTPResponse(failure), keepsConnection: false, limits)
  }
}

extension HTTPResponse {
  /// Creates the response to a request that failed: `{"error": REASON}`.
  package init(_ failure: HTTPFailure) {
    self.init(
      "application/json", Array(JSONValue.object(["error": .string(failure.reason)]).text.utf8), status: failure.status)
  }
}
