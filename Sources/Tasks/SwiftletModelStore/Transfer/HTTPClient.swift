import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// An HTTP client with the limits of a store.
@_spi(Facades)
public struct HTTPClient: Sendable {
  var options: ModelStoreOptions
  var environment: StoreEnvironment
  var conditions: DownloadConditions

  /// Creates a client.
  ///
  /// - Parameter options: The limits.
  public init(options: ModelStoreOptions = ModelStoreOptions()) {
    self.init(options: options, environment: StoreEnvironment())
  }

  package init(
    options: ModelStoreOptions, environment: StoreEnvironment, conditions: DownloadConditions = []
  ) {
    self.options = options
    self.environment = environment
    self.conditions = conditions
  }

  /// The maximum size of a response in memory.
  static let maximumDocument = 1 << 20
  /// The maximum size of a response that explains an error.
  static let maximumExplanation = 1 << 16

  package var policy: URLPolicy { URLPolicy(allowsLoopbackHTTP: options.allowsLoopbackHTTP) }
  var retries: RetrySchedule { RetrySchedule(options: options, environment: environment) }

  /// Returns a URL for error messages, without the query, which may contain keys and signatures.
  static func shown(_ url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "the address" }
    parts.query = nil
    parts.fragment = nil
    parts.user = nil
    parts.password = nil
    return (parts.string ?? "the address").excerpt
  }

  /// Returns a small response of any status. Requests are retried if the server fails or the connection breaks.
  public func document(for request: URLRequest) async throws(ModelStoreError) -> HTTPDocument {
    try await retries.run { () async throws(ModelStoreError) in
      let receiver = DocumentReceiver()
      do throws(ModelStoreError) {
        try await exchange(request, receiver)
      } catch {
        // The protocol reports a failed connection as an internal error.
        throw [.failedPrecondition, .truncated].contains(error.code)
          ? ModelStoreError(.internalError, error.message, retry: error.retry) : error
      }
      let (response, body) = receiver.received.withLock { ($0.response, $0.body) }
      guard let response else { throw ModelStoreError(.internalError, "no answer came", retry: .afterDelay) }
      let document = HTTPDocument(response, body: body, url: request.url)
      let error = document.error
      if error.retry != .never { throw error }
      return document
    }
  }

  /// Sends a request once, follows redirects, and passes the response to `receiver`.
  func exchange(_ request: URLRequest, _ receiver: any ExchangeReceiver) async throws(ModelStoreError) {
    if let url = request.url { try policy.check(url) }
    var request = request
    // A compressed response would have a different length than the server reports, and could not be resumed.
    request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    request.cachePolicy = .reloadIgnoringLocalCacheData
    var count = 0
    while let proposed = try await HTTPExchange(request, receiver: receiver, client: self).run() {
      count += 1
      request = try policy.redirected(proposed, from: request, count: count)
    }
  }

  private final class DocumentReceiver: ExchangeReceiver {
    struct Received {
      var response: HTTPURLResponse?
      var body = Data()
    }

    let received = Mutex(Received())

    func begin(_ response: HTTPURLResponse) throws(ModelStoreError) -> ExpectedBody {
      received.withLock { $0.response = response }
      return (200..<300).contains(response.statusCode) ? .content : .explanation
    }

    func receive(_ bytes: Data) throws(ModelStoreError) {
      let count = received.withLock { received in
        received.body += bytes
        return received.body.count
      }
      guard count <= HTTPClient.maximumDocument else {
        throw ModelStoreError(
          .tooLarge,
          "the answer has more than \(HTTPClient.maximumDocument) bytes; is the address that of a description?")
      }
    }
  }
}

/// The part of a response body that is needed.
package enum ExpectedBody: Sendable {
  /// No body: the exchange is over.
  case none
  /// The server's explanation of an error. It ends after `HTTPClient.maximumExplanation` bytes, after
  /// `ModelStoreOptions.stallTime`, or when the connection breaks, because the status is sufficient.
  case explanation
  case content
}

/// Receives the data from a server. Called on one queue, one call at a time, and possibly once more after the exchange
/// has ended.
protocol ExchangeReceiver: Sendable {
  /// Receives the headers of the response.
  ///
  /// - Returns: The part of the body that is needed.
  func begin(_ response: HTTPURLResponse) throws(ModelStoreError) -> ExpectedBody
  func receive(_ bytes: Data) throws(ModelStoreError)
}
