import Foundation

/// The head of an HTTP/1.1 request: everything before its body.
struct Request: Sendable, Equatable {
  var method: String
  var path: String
  /// The headers, by lowercase name.
  var headers: [String: String]
  var bodyByteCount = 0

  /// Whether the client waits for confirmation before it sends the body.
  var expectsContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }
  var keepsConnection: Bool { headers["connection"]?.lowercased() != "close" }

  /// Parses a head: everything before the empty line.
  ///
  /// Ambiguous heads are rejected: chunked bodies, two lengths, and headers that continue on another line.
  ///
  /// - Throws: `Refusal` with the response status.
  init(head: some Collection<UInt8>, limits: Limits) throws(Refusal) {
    let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
    // Control characters include line ends that only some parsers recognize.
    guard lines.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 || $0 == 0x09 } }) else {
      throw Refusal(400, "the head has control characters")
    }
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, words.allSatisfy({ !$0.isEmpty }) else {
      throw Refusal(400, "the request line is malformed")
    }
    guard words[2] == "HTTP/1.1" else { throw Refusal(505, "this server speaks HTTP/1.1") }
    (method, path, headers) = (words[0], words[1], [:])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), line.first?.isWhitespace == false else {
        throw Refusal(400, "a header is malformed")
      }
      let name = line[..<colon].lowercased()
      guard !name.isEmpty, !name.contains(where: \.isWhitespace), headers[name] == nil || name == "accept" else {
        throw Refusal(400, "a header is malformed or given twice")
      }
      headers[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    guard headers["transfer-encoding"] == nil else { throw Refusal(501, "bodies in chunks are not taken") }
    if let length = headers["content-length"] {
      guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
        throw Refusal(400, "Content-Length is no number")
      }
      guard let count = Int(length), count <= limits.bodyByteCount else {
        throw Refusal(413, "the body has more than the \(limits.bodyByteCount) bytes that it may have")
      }
      bodyByteCount = count
    } else if method == "POST" {
      throw Refusal(411, "Content-Length is needed")
    }
  }
}

/// The reason why a request gets an error response.
struct Refusal: Error, Sendable {
  var status: Int
  var reason: String

  init(_ status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }

  /// Returns the reason phrase of a status.
  static func phrase(_ status: Int) -> String {
    [
      100: "Continue", 200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed",
      408: "Request Timeout", 411: "Length Required", 413: "Content Too Large", 422: "Unprocessable Content",
      431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
      503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ][status] ?? "Error"
  }
}
