package import Foundation

#if canImport(FoundationNetworking)
  package import FoundationNetworking
#endif

/// The URLs that the store requests.
package struct URLPolicy: Sendable {
  private let allowsLoopbackHTTP: Bool

  /// More than any server of models needs.
  package static let mostRedirects = 5

  package init(allowsLoopbackHTTP: Bool = false) { self.allowsLoopbackHTTP = allowsLoopbackHTTP }

  /// - Throws: `ModelStoreError.Code.insecureAddress` for anything but `https`, and but `http` on this machine where
  ///   that is allowed.
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

  /// The request that follows a redirect.
  ///
  /// - Parameters:
  ///   - proposed: what the system would send.
  ///   - original: what was sent.
  ///   - count: how many redirects there were with this one.
  /// - Throws: for the redirect after the last that is allowed, and one that leads away from `https`.
  package func redirected(_ proposed: URLRequest, from original: URLRequest, count: Int) throws(ModelStoreError)
    -> URLRequest
  {
    guard let url = proposed.url, let origin = original.url else {
      throw ModelStoreError(.internalError, "a redirect leads nowhere")
    }
    guard count <= Self.mostRedirects else {
      throw ModelStoreError(
        .internalError, "\(HTTPClient.shown(origin)) leads on more than \(Self.mostRedirects) times")
    }
    do throws(ModelStoreError) {
      try check(url)
      // What came by https must not go on over a plain connection, not even to this machine.
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

  /// What another host may see: all else could be credentials.
  private static let harmlessFields: Set<String> = ["accept-encoding", "range", "if-range", "if-none-match"]
}
