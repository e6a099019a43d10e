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

  /// The most bytes of an answer that is kept in memory.
  static let maximumDocument = 1 << 20
  /// The most bytes of an answer that explains an error.
  static let maximumExplanation = 1 << 16

  package var policy: URLPolicy { URLPolicy(allowsLoopbackHTTP: options.allowsLoopbackHTTP) }
  var retries: RetrySchedule { RetrySchedule(options: options, environment: environment) }

  /// An address as errors show it: without the query, which may hold keys and signatures.
  static func shown(_ url: URL) -> String {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "the address" }
    parts.query = nil
    parts.fragment = nil
    parts.user = nil
    parts.password = nil
    return (parts.string ?? "the address").excerpt
  }

  /// Returns a small answer of any status. Requests are retried if the server fails or the connection breaks.
  public func document(for request: URLRequest) async throws(ModelStoreError) -> HTTPDocument {
    try await retries.run { () async throws(ModelStoreError) in
      let receiver = DocumentReceiver()
      do throws(ModelStoreError) {
        try await exchange(request, receiver)
      } catch {
        // The protocol's word for a connection that fails here is an internal error.
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

  /// Sends a request once, and on to where the server leads, and gives what comes to `receiver`.
  func exchange(_ request: URLRequest, _ receiver: any ExchangeReceiver) async throws(ModelStoreError) {
    if let url = request.url { try policy.check(url) }
    var request = request
    // A compressed answer would have another length than the server says, and could not be resumed.
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

/// How much of the body of an answer is wanted.
package enum ExpectedBody: Sendable {
  /// Nothing: the exchange is over.
  case none
  /// What a server says of an error. It is over after `HTTPClient.maximumExplanation` bytes, after
  /// `ModelStoreOptions.stallTime`, and when the connection breaks: the status says what there is to know.
  case explanation
  case content
}

/// Takes what a server sends. Called on one queue, one call after the other, and possibly once more after the exchange
/// was ended.
protocol ExchangeReceiver: Sendable {
  /// - Returns: how much of the body is wanted.
  func begin(_ response: HTTPURLResponse) throws(ModelStoreError) -> ExpectedBody
  func receive(_ bytes: Data) throws(ModelStoreError)
}
