import Testing

@testable import SwiftletLocalServer

/// Requests of the server's own page, of other pages, and of programs.
@Suite struct AccessRuleTests {
  private let rule = AccessRule(port: 8017, token: "abc")

  private func isAccepted(_ line: String, _ headers: String...) throws -> Bool {
    let request = try HTTPRequest(head: Array(([line + " HTTP/1.1"] + headers).joined(separator: "\r\n").utf8))
    do throws(HTTPFailure) {
      try rule.check(request)
      return true
    } catch {
      #expect(error.status == 403)
      return false
    }
  }

  @Test(arguments: ["127.0.0.1:8017", "localhost:8017", "LOCALHOST:8017", "[::1]:8017"])
  func ownAddressesAreAccepted(host: String) throws {
    #expect(try isAccepted("GET /?token=abc", "Host: \(host)"))
    #expect(try isAccepted("GET /api/x", "Host: \(host)", "X-Studio-Token: abc", "Origin: http://\(host)"))
  }

  @Test(arguments: [
    "", "127.0.0.1", "127.0.0.1:80", "localhost:80170", "evil.example:8017", "127.0.0.1.evil.example:8017", "[::1]",
    "0.0.0.0:8017", "127.0.0.1:8017, 127.0.0.1:8017", "user@127.0.0.1:8017",
  ])
  func otherHostsAreRejected(host: String) throws { #expect(try !isAccepted("GET /?token=abc", "Host: \(host)")) }

  @Test func aMissingHostIsRejected() throws { #expect(try !isAccepted("GET /?token=abc")) }

  @Test(arguments: [
    "null", "http://evil.example", "https://127.0.0.1:8017", "http://127.0.0.1:8018", "http://localhost:8017",
    "http://127.0.0.1:8017.evil.example",
  ])
  func otherOriginsAreRejected(origin: String) throws {
    #expect(
      try !isAccepted(
        "POST /a", "Content-Length: 0", "Host: 127.0.0.1:8017", "X-Studio-Token: abc", "Origin: \(origin)"))
  }

  @Test func crossSiteFetchesAreRejected() throws {
    for (site, isOwn) in [("same-origin", true), ("none", true), ("same-site", false), ("cross-site", false)] {
      #expect(try isAccepted("GET /?token=abc", "Host: 127.0.0.1:8017", "Sec-Fetch-Site: \(site)") == isOwn)
    }
  }

  @Test func onlyThePageTakesTheTokenFromItsAddress() throws {
    #expect(try !isAccepted("GET /api/x?token=abc", "Host: 127.0.0.1:8017"))
    #expect(try !isAccepted("POST /?token=abc", "Host: 127.0.0.1:8017", "Content-Length: 0"))
    for token in ["", "ab", "abd", "abcd", "ABC"] {
      #expect(try !isAccepted("GET /?token=\(token)", "Host: 127.0.0.1:8017"))
      #expect(try !isAccepted("GET /api/x", "Host: 127.0.0.1:8017", "X-Studio-Token: \(token)"))
    }
  }
}
