import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("Errors of the store")
struct StoreErrorTests {
  /// The documented raw values; those below 100 are gRPC's.
  static let codes: [(ModelStoreError.Code, Int)] = [
    (.cancelled, 1), (.invalidArgument, 3), (.timedOut, 4), (.notFound, 5), (.permissionDenied, 7),
    (.resourceExhausted, 8), (.failedPrecondition, 9), (.internalError, 13), (.truncated, 15), (.emptyModelName, 101),
    (.notEnoughSpace, 102), (.expiredAddress, 103), (.sizeMismatch, 104), (.hashMismatch, 105), (.notAModel, 106),
    (.insecureAddress, 107), (.tooLarge, 108), (.modelNotDownloaded, 109), (.modelNotFound, 110), (.storage, 111),
  ]

  @Test("have the documented codes, which differ, as NSErrors too", arguments: codes.indices)
  func code(index: Int) {
    let (code, value) = Self.codes[index]
    #expect(code.rawValue == value && code == ModelStoreError.Code(rawValue: value))
    let error = ModelStoreError(code, "words") as NSError
    #expect(error.code == value && error.domain == "com.swiftlet.modelstore")
    #expect(error.userInfo[NSLocalizedDescriptionKey] as? String == "words")
    #expect(Set(Self.codes.map(\.0)).count == Self.codes.count)
  }

  @Test(
    "keep messages of up to 1000 characters, and omit the middle of longer ones",
    arguments: [("x", 1000), ("x", 1001), ("ü", 1000), ("ü", 1001)])
  func length(character: String, count: Int) {
    let text = String(repeating: character, count: count)
    let expected =
      count <= 1000
      ? text : String(repeating: character, count: 749) + "…" + String(repeating: character, count: 250)
    let error = ModelStoreError(.storage, text)
    #expect(error.message == expected && error.description == expected && error.errorDescription == expected)
  }

  @Test("contain their subject, and stay unchanged")
  func about() {
    let error = ModelStoreError(.notFound, "gone", retry: .after(seconds: 3)).about("birds")
    #expect(error.message == "birds: gone" && error.code == .notFound && error.retry == .after(seconds: 3))
    #expect(ModelStoreError(.notFound, "gone").retry == .never)
  }

  @Test("wrap errors of other kinds, and keep the store's errors unchanged")
  func wrapping() {
    let own = ModelStoreError(.truncated, "cut", retry: .afterDelay)
    #expect(ModelStoreError.wrapping(own, as: .storage) == own)
    #expect(ModelStoreError.wrapping(CancellationError(), as: .storage) == .cancelled)
    #expect(ModelStoreError.cancelled.code == .cancelled)
    #expect(ModelStoreError.cancelled.message == "the download was cancelled")
    let other = NSError(domain: "d", code: 4, userInfo: [NSLocalizedDescriptionKey: "odd"])
    #expect(ModelStoreError.wrapping(other, as: .storage) == ModelStoreError(.storage, "odd"))
  }

  // MARK: Status codes

  private static func response(_ status: Int, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
    let url = try #require(URL(string: "https://example.com/m?key=secret"))
    return try #require(HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers))
  }

  struct Status: Sendable, CustomTestStringConvertible {
    var status: Int
    var code: ModelStoreError.Code
    var words: String
    var isRetried = false
    var testDescription: String { "\(status)" }
  }

  static let statuses: [Status] = [
    .init(status: 400, code: .invalidArgument, words: "does not understand the request"),
    .init(status: 401, code: .permissionDenied, words: "denies access"),
    .init(status: 402, code: .internalError, words: "answered what was not expected"),
    .init(status: 403, code: .permissionDenied, words: "denies access"),
    .init(status: 404, code: .notFound, words: "has no such file or model"),
    .init(status: 405, code: .internalError, words: "answered what was not expected"),
    .init(status: 428, code: .internalError, words: "answered what was not expected"),
    .init(status: 429, code: .resourceExhausted, words: "was asked too often", isRetried: true),
    .init(status: 430, code: .internalError, words: "answered what was not expected"),
    .init(status: 499, code: .internalError, words: "answered what was not expected"),
    .init(status: 500, code: .internalError, words: "failed", isRetried: true),
    .init(status: 599, code: .internalError, words: "failed", isRetried: true),
    .init(status: 600, code: .internalError, words: "answered what was not expected"),
  ]

  @Test("represent the status codes of servers", arguments: statuses)
  func status(_ expected: Status) throws {
    let url = try #require(URL(string: "https://example.com/m?key=secret"))
    let body = Data(#"{"error": {"message": "because"}}"#.utf8)
    let error = HTTPDocument(try Self.response(expected.status), body: body, url: url).error
    #expect(error.code == expected.code && error.retry == (expected.isRetried ? .afterDelay : .never))
    #expect(error.message == "https://example.com/m \(expected.words) (status \(expected.status)): because")
    // A retry delay only counts for errors that a retry can resolve.
    let later = HTTPDocument(
      try Self.response(expected.status, ["Retry-After": "7"]), body: Data("no JSON".utf8), url: nil
    ).error
    #expect(later.retry == (expected.isRetried ? .after(seconds: 7) : .never))
    #expect(later.message == "the server \(expected.words) (status \(expected.status))")
  }

  @Test(
    "use Retry-After as the delay if it is valid",
    arguments: [
      ("0", 0), ("0.5", 0.5), ("120", 120), ("-1", nil), ("inf", nil), ("nan", nil), ("", nil),
      ("Tue, 02 Jan 2024 00:00:00 GMT", nil),
    ] as [(String, Double?)])
  func retryAfter(text: String, seconds: Double?) throws {
    let error = HTTPDocument(try Self.response(503, ["Retry-After": text]), body: Data(), url: nil).error
    #expect(error.retry == seconds.map { .after(seconds: $0) } ?? .afterDelay)
  }
}
