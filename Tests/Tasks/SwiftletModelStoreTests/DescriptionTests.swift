import Foundation
import ModelStoreTestSupport
import SwiftletTestSupport
import Testing

@testable import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Checks manifests without servers.
@Suite("Descriptions of models")
struct DescriptionTests {
  private static let digest = String(repeating: "0123456789abcdef", count: 4)

  private static func request(sha256: String? = nil) throws -> RecordedResponse.Request {
    RecordedResponse.Request(
      url: try #require(URL(string: "https://example.com/models/birds.json?key=secret")),
      directory: FileManager.default.temporaryDirectory, sha256: sha256)
  }

  private static func error(_ body: () throws -> Void) -> ModelStoreError? {
    let error: ModelStoreError? = thrownError(body)
    return error
  }

  // MARK: Manifests

  private static func manifest(_ json: String) throws -> RemoteModelFile {
    try RecordedResponse(status: 200, pieces: [Data(json.utf8)]).manifest(try request())
  }

  @Test("from manifests have every field, and URLs relative to the manifest's")
  func manifestFields() throws {
    let file = try Self.manifest(
      #"{"name": "recorded", "version": "3", "url": "b/m.tflite", "sha256": "\#(Self.digest.uppercased())", "size": 1}"#
    )
    #expect(file.url.absoluteString == "https://example.com/models/b/m.tflite")
    #expect(file.version == "3" && file.sha256 == Self.digest && file.size == 1)
    #expect(file.headers.isEmpty && file.expires == nil && file.knownETag == nil && !file.isLocalFileAllowed)
    let bare = try Self.manifest(#"{"url": "https://other.com/m", "sha256": "\#(Self.digest)"}"#)
    #expect(bare.url.absoluteString == "https://other.com/m" && bare.version == nil && bare.size == nil)
  }

  @Test(
    "from manifests are rejected with the reason",
    arguments: [
      ("[]", "is not JSON with the strings \"url\" and \"sha256\""),
      (#"{"url": "m"}"#, "is not JSON with the strings \"url\" and \"sha256\""),
      (#"{"url": "m", "sha256": "DIGEST", "name": "x"}"#, "is that of the model 'x', not of 'recorded'"),
      (#"{"url": "m", "sha256": "DIGEST0"}"#, "has no SHA-256 of 64 hexadecimal digits"),
      (#"{"url": "m", "sha256": ""}"#, "has no SHA-256 of 64 hexadecimal digits"),
      (#"{"url": "m", "sha256": "DIGEST", "size": 0}"#, "states an invalid model size of 0 bytes"),
      (#"{"url": "m", "sha256": "DIGEST", "size": -1}"#, "states an invalid model size of -1 bytes"),
    ])
  func manifestRefusal(json: String, reason: String) throws {
    let error = Self.error { _ = try Self.manifest(json.replacing("DIGEST", with: Self.digest)) }
    #expect(
      error == ModelStoreError(.internalError, "the manifest at https://example.com/models/birds.json \(reason)"))
  }

  @Test("from manifests of other statuses are rejected")
  func manifestStatus() throws {
    for status in [201, 304, 404] {
      let error = Self.error { _ = try RecordedResponse(status: status).manifest(try Self.request()) }
      #expect(error?.message.hasSuffix("(status \(status))") == true)
    }
    let plain = Self.error { _ = try Self.manifest(#"{"url": "http://a.b/m", "sha256": "\#(Self.digest)"}"#) }
    #expect(plain?.code == .insecureAddress)
  }
}
