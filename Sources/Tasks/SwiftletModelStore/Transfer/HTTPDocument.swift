public import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// The response of a service: its status, headers, and body.
public struct HTTPDocument: Sendable {
  /// The body, at most 1 MB.
  public let body: Data
  private let response: HTTPURLResponse
  private let url: URL?

  package init(_ response: HTTPURLResponse, body: Data, url: URL?) {
    self.response = response
    self.body = body
    self.url = url
  }

  /// The status, such as 200.
  public var status: Int { response.statusCode }

  /// Returns the value of a header, or `nil` if it is absent.
  public func header(_ name: String) -> String? { response.value(forHTTPHeaderField: name) }

  /// The error that corresponds to the status of a response that was not expected.
  ///
  /// Its message quotes the server if the body has the form `{"error": {"message": …}}`.
  public var error: ModelStoreError {
    let place = url.map(HTTPClient.shown) ?? "the server"
    let said = saidMessage.map { ": \($0.excerpt)" } ?? ""
    func error(_ code: ModelStoreError.Code, _ what: String, retry: ModelStoreError.Retry = .never) -> ModelStoreError {
      ModelStoreError(code, "\(place) \(what) (status \(status))\(said)", retry: retry)
    }
    switch status {
    case 400: return error(.invalidArgument, "does not understand the request")
    case 401, 403: return error(.permissionDenied, "denies access")
    case 404: return error(.notFound, "has no such file or model")
    case 429: return error(.resourceExhausted, "was asked too often", retry: delay)
    case 500...599: return error(.internalError, "failed", retry: delay)
    default: return error(.internalError, "answered what was not expected")
    }
  }

  /// The delay that the server requests (`Retry-After`), if it is in seconds.
  private var delay: ModelStoreError.Retry {
    guard let text = header("Retry-After"), let seconds = Double(text), seconds >= 0,
      seconds.isFinite
    else {
      return .afterDelay
    }
    return .after(seconds: seconds)
  }

  private struct ErrorBody: Decodable {
    struct Content: Decodable { var message: String }
    var error: Content
  }

  private var saidMessage: String? {
    (try? JSONDecoder().decode(ErrorBody.self, from: body))?.error.message
  }
}
