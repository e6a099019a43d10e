import Foundation
import SwiftletBase
package import SwiftletModelStore

/// The response of Firebase's hosting service for a model.
package struct FirebaseResponse {
  let document: HTTPDocument
  let model: String

  package init(_ document: HTTPDocument, model: String) {
    self.document = document
    self.model = model
  }

  private struct Content: Decodable {
    var downloadUri: String
    var expireTime: String
    /// The size in bytes; a string, like all 64-bit integers in this service's JSON.
    var sizeBytes: String
  }

  /// The service's hash of this version of the model.
  private var hash: String? {
    document.header("ETag").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the file in a response with status 200.
  ///
  /// - Throws: `ModelStoreError.Code.internalError` for a response that violates the protocol.
  package func file(sha256: String?) throws(ModelStoreError) -> RemoteModelFile {
    guard let hash else { throw refusal("has no ETag, which is the model's hash") }
    let content: Content
    do {
      content = try JSONDecoder().decode(Content.self, from: document.body)
    } catch {
      throw refusal("is not JSON with the strings \"downloadUri\", \"expireTime\" and \"sizeBytes\"")
    }
    guard let size = Int64(content.sizeBytes), size > 0 else {
      throw refusal("has an invalid size: '\(content.sizeBytes.excerpt)'")
    }
    guard let expires = RFC3339.date(content.expireTime) else {
      throw refusal("has an invalid expiration time: '\(content.expireTime.excerpt)'")
    }
    guard let url = URL(string: content.downloadUri), url.host != nil else {
      throw refusal("has an invalid URL")
    }
    return RemoteModelFile(url: url, expires: expires, size: size, version: hash, sha256: sha256)
  }

  /// Checks that a response with status 304 refers to the installed version.
  ///
  /// - Throws: `ModelStoreError.Code.internalError` if it doesn't.
  package func checkNotModified(since known: ModelRecord?) throws(ModelStoreError) {
    guard let known else { throw refusal("reports that the model has not changed, but no model was downloaded before") }
    guard let hash else { throw refusal("reports that the model has not changed, but does not contain its hash") }
    guard hash == known.version else {
      throw refusal(
        "reports that the model has not changed, but its hash is '\(hash.excerpt)' and was '\((known.version ?? "").excerpt)'"
      )
    }
  }

  /// The error for any other status.
  package var failure: ModelStoreError {
    let error = document.error
    switch document.status {
    case 404:
      return ModelStoreError(
        error.code, "\(error.message); is the model published, and is '\(model.excerpt)' its name?")
    case 401, 403:
      return ModelStoreError(
        error.code, "\(error.message); is the Firebase ML API enabled for the project, and is the token valid?")
    default: return error
    }
  }

  private func refusal(_ reason: String) -> ModelStoreError {
    ModelStoreError(.internalError, "Firebase's answer for the model '\(model.excerpt)' \(reason)")
  }
}

/// A parser for dates such as `2027-06-15T12:30:00.123456789Z`, or with an offset such as `+02:00` (RFC 3339, section
/// 5.6).
package enum RFC3339 {
  /// Returns the date; `nil` for malformed text. Fractions of a second can have any number of digits, or be absent.
  package static func date(_ text: String) -> Date? {
    let pattern = /(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]\d{2}:\d{2})/.asciiOnlyDigits()
    guard let match = text.wholeMatch(of: pattern)?.output,
      let year = Int(match.1), let month = Int(match.2), let day = Int(match.3),
      let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var offset = 0
    if match.8.count == 6, let hours = Int(match.8.dropFirst().prefix(2)), let minutes = Int(match.8.suffix(2)) {
      guard hours < 24, minutes < 60 else { return nil }
      offset = (hours * 3600 + minutes * 60) * (match.8.hasPrefix("-") ? -1 : 1)
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? calendar.timeZone
    let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
    guard let date = calendar.date(from: parts), calendar.component(.day, from: date) == day else { return nil }
    return date.addingTimeInterval(Double(second) + (match.7.flatMap { Double("0" + $0) } ?? 0) - Double(offset))
  }
}
