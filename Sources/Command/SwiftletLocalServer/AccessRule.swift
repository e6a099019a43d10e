/// The requests that a server on this machine accepts: those of its own page, and of programs that know the token.
///
/// A foreign page can send requests to this machine too. Its `Origin` is foreign. If it has a name that resolves to
/// this machine (DNS rebinding), `Host` is foreign. It never knows the token.
struct AccessRule: Sendable {
  /// The name of the header and of the parameter that contain the token.
  static let header = "x-studio-token"
  static let parameter = "token"

  private let hosts: Set<String>
  private let token: [UInt8]

  init(port: UInt16, token: String) {
    hosts = Set(["127.0.0.1", "localhost", "[::1]"].map { "\($0):\(port)" })
    self.token = Array(token.utf8)
  }

  /// - Throws: `HTTPFailure` if the request isn't accepted.
  func check(_ request: HTTPRequest) throws(HTTPFailure) {
    guard let host = request.headers["host"], hosts.contains(host.lowercased()) else {
      throw HTTPFailure(403, "the Host header is not this server's address")
    }
    if let origin = request.headers["origin"] {
      guard origin.lowercased() == "http://" + host.lowercased() else {
        throw HTTPFailure(403, "requests of other sites are not accepted")
      }
    }
    guard ["same-origin", "none", nil].contains(request.headers["sec-fetch-site"]) else {
      throw HTTPFailure(403, "requests of other sites are not accepted")
    }
    // Only the page itself is requested by its address; scripts send the header, which other sites cannot.
    let given = request.method == "GET" && request.path == "/" ? request.query[Self.parameter] : nil
    guard isToken(request.headers[Self.header] ?? given ?? "") else {
      throw HTTPFailure(403, "the token is missing or wrong; open the address that 'swiftlet studio' printed")
    }
  }

  /// Compares all bytes, so that the time doesn't depend on how many are right.
  private func isToken(_ text: String) -> Bool {
    let given = Array(text.utf8)
    guard given.count == token.count else { return false }
    return zip(given, token).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
