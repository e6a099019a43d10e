package import Foundation
import SwiftletBase

/// A small HTTP server on this machine with responses from a test, including responses that no real server should send.
///
///     let server = try LoopbackServer { request in .init(body: [1, 2, 3]) }
///     server.url("/model.tflite")
package final class LoopbackServer: Sendable {
  package struct Request: Sendable {
    package var method: String
    /// The path without the query.
    package var path: String
    /// The query after the question mark; empty without one.
    package var query: String
    /// The headers, by lowercase name.
    package var headers: [String: String]
    package var body: [UInt8]
  }

  private struct State {
    var requests: [Request] = []
    var connections: Set<Int32> = []
    var isStopped = false
  }

  package let port: UInt16
  private let listener: Int32
  private let handler: @Sendable (Request) -> LoopbackResponse
  private let state = Mutex(State())

  /// Starts a server.
  ///
  /// - Parameter handler: A closure that returns the response to each request; called on several threads.
  /// - Throws: If there is no free port.
  package init(_ handler: @escaping @Sendable (Request) -> LoopbackResponse) throws {
    self.handler = handler
    (listener, port) = try LoopbackSocket.listen()
    Thread.detachNewThread { [listener, weak self] in
      while let connection = LoopbackSocket.accept(listener) {
        guard let self else {
          LoopbackSocket.close(connection)
          break
        }
        Thread.detachNewThread { self.serve(connection) }
      }
      // The accepting thread closes the listener: its number could belong to another server's listener right after.
      LoopbackSocket.close(listener)
    }
  }

  deinit { stop() }

  /// The requests so far, in order of arrival.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// Returns a URL of this server.
  package func url(_ path: String) -> URL {
    URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(fileURLWithPath: path)
  }

  /// Closes all connections; later ones are refused.
  package func stop() {
    let connections = state.withLock { state -> Set<Int32> in
      guard !state.isStopped else { return [] }
      state.isStopped = true
      LoopbackSocket.shutdown(listener)
      return state.connections
    }
    for connection in connections { LoopbackSocket.shutdown(connection) }
  }

  private func serve(_ connection: Int32) {
    let isWelcome = state.withLock { state in
      if !state.isStopped { state.connections.insert(connection) }
      return !state.isStopped
    }
    if isWelcome, let request = LoopbackSocket.request(connection) {
      state.withLock { $0.requests.append(request) }
      handler(request).send(to: connection)
    }
    _ = state.withLock { $0.connections.remove(connection) }
    LoopbackSocket.close(connection)
  }
}
