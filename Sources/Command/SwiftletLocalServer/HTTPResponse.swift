/// A response to an HTTP request.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var contentType: String
  package var body: [UInt8]

  package init(_ contentType: String, _ body: [UInt8], status: Int = 200) {
    (self.status, self.contentType, self.body) = (status, contentType, body)
  }

  /// The bytes before the body.
  ///
  /// No response is stored, guessed to be of another type, displayed in a foreign page, or named in a referrer.
  func head(keepsConnection: Bool) -> [UInt8] {
    var lines = [
      "HTTP/1.1 \(status) \(Self.phrases[status] ?? "Error")", "Content-Type: \(contentType)",
      "Content-Length: \(body.count)", "Cache-Control: no-store", "X-Content-Type-Options: nosniff",
      "X-Frame-Options: DENY", "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
      "Cross-Origin-Opener-Policy: same-origin",
    ]
    if status == 503 { lines.append("Retry-After: 1") }
    if !keepsConnection { lines.append("Connection: close") }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static let phrases = [
    200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout", 411: "Length Required", 413: "Content Too Large", 415: "Unsupported Media Type",
    422: "Unprocessable Content", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 503: "Service Unavailable", 504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}
