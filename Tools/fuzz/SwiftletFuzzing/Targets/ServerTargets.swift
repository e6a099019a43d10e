import SwiftletLocalServer

/// The requests of a local server's clients.
enum ServerTargets {
  static let all: [FuzzTarget] = [
    FuzzTarget(
      "request",
      seeds: {
        [
          "GET /?token=0123456789abcdef HTTP/1.1\r\nHost: 127.0.0.1:8017\r\nAccept: text/html\r\nAccept: */*",
          "POST /api/run?task=detect-faces&allow=a%2Cb%C3%A9&flag HTTP/1.1\r\nHost: [::1]:8017\r\nOrigin: http://[::1]:8017\r\nX-Studio-Token: 0\r\nContent-Type: image/png; q=1\r\nContent-Length: 18",
        ].map { Array($0.utf8) }
      }
    ) { bytes in
      guard let request = try? HTTPRequest(head: bytes) else { return }
      _ = (request.contentType, request.query.count, request.headers.count)
    }
  ]
}
