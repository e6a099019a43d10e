import Dispatch
import Foundation
import SwiftletBase

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One request and its response, in a separate URL session without cache, cookies, and credentials.
final class HTTPExchange: NSObject, URLSessionDataDelegate, Sendable {
  /// The result of an exchange: the request for a redirect, or `nil` for a response.
  private typealias Outcome = Result<URLRequest?, ModelStoreError>

  private struct State {
    var continuation: CheckedContinuation<Outcome, Never>?
    /// The first outcome, which is the one that counts.
    var outcome: Outcome?
    var byteCount = 0
    /// The expected body. `nil` before the headers have arrived, and for a redirect, which Foundation on Linux reports
    /// only at the end of its body.
    var body: ExpectedBody?
    /// Whether the system is waiting for an allowed network, for up to the maximum time of a transfer.
    var isWaitingForNetwork = false
  }

  private let request: URLRequest
  private let receiver: any ExchangeReceiver
  private let client: HTTPClient
  private let state = Mutex(State())
  #if canImport(FoundationNetworking)
    private let deliveries = DeliveryQueue()
  #else
    private let deliveries: OperationQueue? = nil
  #endif

  init(_ request: URLRequest, receiver: any ExchangeReceiver, client: HTTPClient) {
    self.request = request
    self.receiver = receiver
    self.client = client
  }

  /// Sends the request and returns when the response is complete, or is no longer needed.
  ///
  /// - Returns: The request for a redirect, if the response is one.
  func run() async throws(ModelStoreError) -> URLRequest? {
    let session = URLSession(configuration: configuration, delegate: self, delegateQueue: deliveries)
    let task = session.dataTask(with: request)
    let watch = Task { await watchSpeed() }
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let early = state.withLock { state -> Outcome? in
          if state.outcome == nil { state.continuation = continuation }
          return state.outcome
        }
        if let early { continuation.resume(returning: early) } else { task.resume() }
      }
    } onCancel: {
      finish(.failure(.cancelled))
    }
    watch.cancel()
    stop(task, of: session)
    return try outcome.get()
  }

  /// Stops the session's work after the exchange is over.
  ///
  /// This does not run on the caller's thread, because Foundation on Linux cancels on the queue on which it reads, and
  /// a server that sends faster than it reads keeps that queue busy.
  private func stop(_ task: URLSessionDataTask, of session: URLSession) {
    DispatchQueue.global(qos: .utility).async {
      #if canImport(FoundationNetworking)
        self.deliveries.dropping { task.cancel() }
      #endif
      session.invalidateAndCancel()
    }
  }

  private var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    configuration.allowsCellularAccess = !client.conditions.contains(.noCellularNetwork)
    // The exchange measures the time itself. These limits are for a system that does not call back at all.
    let limit = client.options.transferTimeLimit.bounded / .seconds(1)
    configuration.timeoutIntervalForResource = limit + 5
    configuration.timeoutIntervalForRequest = limit + 5
    #if canImport(Darwin)
      configuration.waitsForConnectivity = true
      configuration.allowsExpensiveNetworkAccess = !client.conditions.contains(.noExpensiveNetwork)
      configuration.allowsConstrainedNetworkAccess = !client.conditions.contains(.noConstrainedNetwork)
    #endif
    return configuration
  }

  /// Ends the exchange. All later events are ignored.
  private func finish(_ outcome: Outcome) {
    let continuation = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume(returning: outcome)
  }

  private var isOver: Bool { state.withLock { $0.outcome != nil } }

  /// Ends the exchange if too few bytes arrive for too long. Otherwise, a server that sends single bytes would never
  /// time out.
  private func watchSpeed() async {
    let options = client.options
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: options.transferTimeLimit.bounded)
    // Without a pause, this loop would keep a CPU core busy.
    let pause = max(options.stallTime.bounded, .milliseconds(10))
    var before = 0
    while !isOver {
      let next = clock.now.advanced(by: pause)
      let isLast = next >= end
      do {
        try await clock.sleep(until: min(end, next))
      } catch {
        return
      }
      let (now, isWaiting, body) = state.withLock { ($0.byteCount, $0.isWaitingForNetwork, $0.body) }
      if body == .explanation {
        finish(.success(nil))
      } else if isLast {
        finish(
          .failure(ModelStoreError(.timedOut, "\(place) took more than \(options.transferTimeLimit)", retry: .never)))
      } else if now - before < options.stallByteCount, !isWaiting {
        let what =
          body == nil
          ? "gave no answer within \(options.stallTime), or leads on to another address with an answer that does not end"
          : "sent \(now - before) bytes within \(options.stallTime), which is too slow"
        finish(.failure(ModelStoreError(.timedOut, "\(place) \(what)", retry: .afterDelay)))
      }
      before = now
    }
  }

  private var place: String { request.url.map(HTTPClient.shown) ?? "the server" }

  // MARK: Delegate of the session

  func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {
    state.withLock { $0.isWaitingForNetwork = true }
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    guard !isOver, let response = response as? HTTPURLResponse else {
      finish(.failure(ModelStoreError(.internalError, "the response is not valid HTTP")))
      return completionHandler(.cancel)
    }
    do throws(ModelStoreError) {
      state.withLock { $0.isWaitingForNetwork = false }
      let body = try receiver.begin(response)
      state.withLock { $0.body = body }
      // For status 401, Foundation on Linux waits for credentials and never ends the task, so don't wait for the body.
      guard body != .none, response.statusCode != 401 else {
        finish(.success(nil))
        return completionHandler(.cancel)
      }
      completionHandler(.allow)
    } catch {
      finish(.failure(error))
      completionHandler(.cancel)
    }
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard !isOver else { return }
    do throws(ModelStoreError) {
      try receiver.receive(data)
      let (body, count) = state.withLock { state in
        state.byteCount += data.count
        return (state.body, state.byteCount)
      }
      if body == .explanation, count >= HTTPClient.maximumExplanation { finish(.success(nil)) }
    } catch {
      finish(.failure(error))
    }
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    // Redirects are not followed within this exchange. Foundation on Linux crashes if a task is cancelled after it asks
    // about a redirect and before it gets the answer. So the question is not answered there, and the task ends by
    // cancellation.
    finish(.success(newRequest))
    #if canImport(Darwin)
      completionHandler(nil)
    #endif
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    guard let error, state.withLock({ $0.body }) != .explanation else { return finish(.success(nil)) }
    finish(.failure(connectionFailure(error as NSError)))
  }

  private func connectionFailure(_ error: NSError) -> ModelStoreError {
    // The session's own limits are slightly above the limit for the whole transfer.
    if error.code == NSURLErrorTimedOut {
      return ModelStoreError(.timedOut, "\(place) took more than \(client.options.transferTimeLimit)")
    }
    let hasBody = state.withLock { $0.byteCount > 0 }
    return ModelStoreError(
      hasBody ? .truncated : .failedPrecondition,
      "\(place): \(hasBody ? "the connection broke" : "no connection"): \(error.localizedDescription.excerpt)",
      retry: .afterDelay)
  }
}
