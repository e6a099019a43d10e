#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif
package import Foundation

/// The rules for URLs that the store requests.
package struct URLPolicy: Sendable {
  private let allowsLoopbackHTTP: Bool

  /// The maximum number of redirects: more than any model server needs.
  package static let maximumRedirects = 5

  package init(allowsLoopbackHTTP: Bool = false) { self.allowsLoopbackHTTP = allowsLoopbackHTTP }

  /// Checks a URL.
  ///
  /// - Throws: `ModelStoreError.Code.insecureAddress` for anything but `https`, or `http` on this machine if that is
  ///   allowed.
  package func check(_ url: URL) throws(ModelStoreError) {
    let scheme = url.scheme?.lowercased() ?? ""
    let host = url.host?.lowercased() ?? ""
    guard !host.isEmpty || scheme == "file" else {
      throw ModelStoreError(
        .invalidArgument, "'\(HTTPClient.shown(url))' is not a complete address; it must start with https:// and a host"
      )
    }
    if scheme == "https" { return }
    if scheme == "http", allowsLoopbackHTTP, ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) { return }
    throw ModelStoreError(
      .insecureAddress, "\(HTTPClient.shown(url)) is not an https address; models are downloaded over https only")
  }

  /// Returns the request that follows a redirect.
  ///
  /// - Parameters:
  ///   - proposed: The request that the system proposes.
  ///   - original: The request that was sent.
  ///   - count: The number of redirects, including this one.
  /// - Throws: `ModelStoreError` if there are too many redirects, or a redirect leaves `https`.
  package func redirected(_ proposed: URLRequest, from original: URLRequest, count: Int) throws(ModelStoreError)
    -> URLRequest
  {
    guard let url = proposed.url, let origin = original.url else {
      throw ModelStoreError(.internalError, "a redirect leads nowhere")
    }
    guard count <= Self.maximumRedirects else {
      throw ModelStoreError(
        .internalError, "\(HTTPClient.shown(origin)) leads on more than \(Self.maximumRedirects) times")
    }
    do throws(ModelStoreError) {
      try check(url)
      // Don't downgrade from https to an unencrypted connection, not even to this machine.
      guard origin.scheme?.lowercased() != "https" || url.scheme?.lowercased() == "https" else {
        throw ModelStoreError(.insecureAddress, "\(HTTPClient.shown(url)) is not an https address")
      }
    } catch {
      throw error.about("\(HTTPClient.shown(origin)) leads on to a refused address")
    }
    var request = URLRequest(url: url)
    request.cachePolicy = original.cachePolicy
    let isSameHost = url.host == origin.host && url.port == origin.port && url.scheme == origin.scheme
    for (field, value) in original.allHTTPHeaderFields ?? [:]
    where isSameHost || Self.harmlessFields.contains(field.lowercased()) {
      request.setValue(value, forHTTPHeaderField: field)
    }
    return request
  }

  /// The header fields that may be sent to another host. All others could be credentials.
  private static let harmlessFields: Set<String> = ["accept-encoding", "range", "if-range", "if-none-match"]
}

/// The schedule for retrying after temporary errors.
struct RetrySchedule: Sendable {
  var options: ModelStoreOptions
  var environment: StoreEnvironment

  /// The schedule for work whose requests are already retried: without delays.
  var withoutDelays: RetrySchedule {
    var schedule = self
    schedule.options.retryDelays = []
    return schedule
  }

  /// Runs `body` until it succeeds or fails permanently. Only this function counts errors: there is one retry per
  /// delay, and at most one retry from scratch.
  func run<Value>(_ body: () async throws(ModelStoreError) -> Value) async throws(ModelStoreError) -> Value {
    var delays = options.retryDelays[...]
    var mayBeginAnew = true
    while true {
      do {
        return try await body()
      } catch  where error.retry == .anew {
        guard mayBeginAnew else { throw ModelStoreError(error.code, error.message) }
        mayBeginAnew = false
      } catch {
        guard let delay = delays.popFirst() else { throw error }
        try await wait(after: error, delay)
      }
    }
  }

  /// Waits before a retry.
  ///
  /// - Throws: `error` if a retry is useless.
  private func wait(after error: ModelStoreError, _ delay: Duration) async throws(ModelStoreError) {
    let time: Duration
    switch error.retry {
    case .never, .anew: throw error
    case .afterDelay: time = delay.bounded * (1 + 0.2 * environment.jitter())
    case .after(let seconds):
      guard seconds <= options.maximumRetryDelay.bounded / .seconds(1) else { throw error }
      time = .seconds(seconds)
    }
    do {
      try await environment.sleep(time)
    } catch {
      throw .cancelled
    }
  }
}

extension Duration {
  /// The duration clamped to a range that clocks support: from zero to a year, which is longer than any useful limit.
  var bounded: Duration { min(max(self, .zero), .seconds(365 * 86_400)) }
}
