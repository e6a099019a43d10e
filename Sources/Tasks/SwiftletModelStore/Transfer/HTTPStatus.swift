import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Status codes of servers as errors of the store.
enum HTTPStatus {
  /// The error of a response that is not a success.
  ///
  /// - Parameter body: may hold the words of a Google service: `{"error": {"message": …}}`.
  static func error(_ response: HTTPURLResponse, body: Data, url: URL?) -> ModelStoreError {
    let status = response.statusCode
    let place = url.map(HTTPClient.shown) ?? "the server"
    let said = message(in: body).map { ": \($0.excerpt)" } ?? ""
    func error(_ code: ModelStoreError.Code, _ what: String, retry: ModelStoreError.Retry = .never) -> ModelStoreError {
      ModelStoreError(code, "\(place) \(what) (status \(status))\(said)", retry: retry)
    }
    switch status {
    case 400: return error(.invalidArgument, "does not understand the request")
    case 401, 403: return error(.permissionDenied, "denies access")
    case 404: return error(.notFound, "has no such file or model")
    case 429: return error(.resourceExhausted, "was asked too often", retry: delay(response))
    case 500...599: return error(.internalError, "failed", retry: delay(response))
    default: return error(.internalError, "answered what was not expected")
    }
  }

  /// How long the server asks to wait (`Retry-After`), if it says so in seconds.
  private static func delay(_ response: HTTPURLResponse) -> ModelStoreError.Retry {
    guard let text = response.value(forHTTPHeaderField: "Retry-After"), let seconds = Double(text), seconds >= 0,
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

  private static func message(in body: Data) -> String? {
    (try? JSONDecoder().decode(ErrorBody.self, from: body))?.error.message
  }
}
