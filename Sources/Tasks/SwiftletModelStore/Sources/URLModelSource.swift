public import Foundation
import SwiftletBase

// Unchecked because its base class is: it has constants only.

/// A model at an address of its own, on any web server or storage bucket.
///
/// With a SHA-256 exactly that file is accepted, and nothing is asked once it is there. Without, each download asks the
/// server whether the file has changed (`ETag`, `If-None-Match`).
public final class URLModelSource: RemoteModelSource, @unchecked Sendable {
  /// The address of the `.tflite` file.
  public let url: URL
  /// Sent with each request to that host, such as credentials.
  public let headers: [String: String]
  private let expectedSHA256: String?

  /// - Parameters:
  ///   - name: the model's name.
  ///   - url: an `https` address.
  ///   - headers: sent with each request to that host, but not to another one that it leads to.
  ///   - sha256: 64 hexadecimal digits; what `sha256sum` prints.
  public init(name: String, url: URL, headers: [String: String] = [:], sha256: String? = nil) {
    self.url = url
    self.headers = headers
    expectedSHA256 = sha256?.lowercased()
    super.init(name: name)
  }

  /// The address.
  public override var identity: String { "url " + url.absoluteString }
  /// The SHA-256 that the file must have, if it is known.
  public override var sha256: String? { expectedSHA256 }

  /// The address, to be asked whether it has changed; nothing to do where the SHA-256 is that of the file that is
  /// there.
  ///
  /// - Throws: `ModelStoreError.Code.invalidArgument` for a SHA-256 that is none.
  public override func resolve(known: ModelRecord?) async throws -> Resolution {
    if let expectedSHA256 {
      guard SHA256.isHexDigest(expectedSHA256) else {
        throw ModelStoreError(.invalidArgument, "a SHA-256 has 64 hexadecimal digits, got '\(expectedSHA256.excerpt)'")
      }
      if known?.sha256 == expectedSHA256 { return .notModified }
    }
    return .file(
      RemoteModelFile(
        url: url, headers: headers, sha256: expectedSHA256, knownETag: expectedSHA256 == nil ? known?.version : nil))
  }
}
