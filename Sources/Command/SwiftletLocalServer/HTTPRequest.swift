/// An HTTP/1.1 request.
///
/// - Source: RFC 9110 and RFC 9112. Requests that parsers can read in different ways are rejected: chunked bodies, two
///   lengths, headers that continue on another line, and line ends other than CR LF.
package struct HTTPRequest: Sendable, Equatable {
  package private(set) var method: String
  /// The path of the target, percent-decoded.
  package private(set) var path: String
  /// The query of the target, percent-decoded, by name.
  package private(set) var query: [String: String] = [:]
  /// The headers, by lowercase name.
  package private(set) var headers: [String: String] = [:]
  package internal(set) var body: [UInt8] = []

  private(set) var bodyByteCount = 0

  /// The media type of the body, without parameters.
  package var contentType: String {
    let text = headers["content-type"] ?? ""
    return String(text.prefix { $0 != ";" && $0 != " " }).lowercased()
  }

  /// Whether the client waits for a confirmation before it sends the body.
  var expectsContinue: Bool { headers["expect"]?.lowercased() == "100-continue" }
  var keepsConnection: Bool { headers["connection"]?.lowercased() != "close" }

  /// Parses a head: the request line and the headers, without the empty line.
  ///
  /// - Throws: `HTTPFailure` with the status of the response.
  package init(head: some Collection<UInt8>) throws(HTTPFailure) {
    var lines = try Self.lines(head)[...]
    let words = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, !words[0].isEmpty, words[0].utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw HTTPFailure(400, "the request line is malformed")
    }
    guard words[2] == "HTTP/1.1" else { throw HTTPFailure(505, "this server requires HTTP/1.1") }
    method = words[0]
    (path, query) = try Self.target(words[1])
    for line in lines { try addHeader(line) }
    guard headers["transfer-encoding"] == nil else { throw HTTPFailure(501, "chunked bodies are not supported") }
    guard let length = headers["content-length"] else {
      if method == "POST" { throw HTTPFailure(411, "Content-Length is required") }
      return
    }
    guard (1...18).contains(length.utf8.count), length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(length)
    else { throw HTTPFailure(400, "Content-Length is not a number") }
    bodyByteCount = count
  }

  private static func lines(_ head: some Collection<UInt8>) throws(HTTPFailure) -> [Substring] {
    // Every byte is one character, so no byte is lost, and no two parsers disagree on where a character ends.
    let text = String(String.UnicodeScalarView(head.map { Unicode.Scalar($0) }))
    let lines = text.unicodeScalars.split(separator: "\r\n".unicodeScalars, omittingEmptySubsequences: false)
    guard lines.allSatisfy({ $0.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F || $0 == "\t" } }) else {
      throw HTTPFailure(400, "the head contains control characters")
    }
    return lines.map { Substring($0) }
  }

  private mutating func addHeader(_ line: Substring) throws(HTTPFailure) {
    guard let colon = line.firstIndex(of: ":") else { throw HTTPFailure(400, "a header is malformed") }
    let name = line[..<colon]
    guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
      throw HTTPFailure(400, "the name of a header is malformed")
    }
    let value = line[line.index(after: colon)...]
    let trimmed = value.drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed()
    let key = name.lowercased(), text = String(trimmed)
    guard let first = headers.updateValue(text, forKey: key) else { return }
    // Lists may be in several headers. Nothing that this server reads is a list.
    guard !Self.single.contains(key) else { throw HTTPFailure(400, "\(key) is given twice") }
    headers[key] = first + ", " + text
  }

  private static let single: Set<String> = [
    "host", "origin", "content-length", "transfer-encoding", "content-type", "connection", "expect", "sec-fetch-site",
    AccessRule.header,
  ]

  /// Returns whether a byte can be part of a header name (RFC 9110, section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  // MARK: Target

  private static func target(_ text: String) throws(HTTPFailure) -> (String, [String: String]) {
    guard text.utf8.first == UInt8(ascii: "/") else {
      throw HTTPFailure(400, "the request target is not a path")
    }
    let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var query: [String: String] = [:]
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = try decoded(sides[0], plusIsSpace: true)
      let value = sides.count > 1 ? try decoded(sides[1], plusIsSpace: true) : ""
      guard query.updateValue(value, forKey: name) == nil else {
        throw HTTPFailure(400, "the parameter '\(name)' is given twice")
      }
    }
    return (try decoded(parts[0]), query)
  }

  /// Returns a percent-decoded text.
  ///
  /// - Parameter plusIsSpace: Whether a plus sign stands for a space, as in the query that browsers create.
  private static func decoded(_ text: Substring, plusIsSpace: Bool = false) throws(HTTPFailure) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
        throw HTTPFailure(400, "a percent sign in the target is not followed by two hexadecimal digits")
      }
      bytes.append(high << 4 | low)
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    // Invalid bytes were replaced.
    guard decoded.utf8.elementsEqual(bytes) else { throw HTTPFailure(400, "the request target is not UTF-8") }
    return decoded
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// The reason why a request gets an error response.
package struct HTTPFailure: Error, Sendable, Equatable {
  package var status: Int
  /// A sentence for the user.
  package var reason: String

  package init(_ status: Int, _ reason: String) { (self.status, self.reason) = (status, reason) }
}
