import Foundation

/// A file at a URL of its own.
struct URLModelSource: RemoteModelSource {
  let url: URL
  let headers: [String: String]

  var identity: String { "url " + url.absoluteString }

  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    .file(
      RemoteModelFile(
        url: url, headers: headers, sha256: query.sha256,
        knownETag: query.sha256 == nil ? query.installed?.version : nil))
  }
}

/// A copy of a model that another source is the original of.
struct MirrorModelSource: RemoteModelSource {
  let identity: String
  let url: URL

  func resolve(_ query: ModelQuery) async throws(ModelStoreError) -> ModelResolution {
    var copy = RemoteModelFile(url: url, sha256: query.sha256)
    copy.isLocalFileAllowed = true
    return .file(copy)
  }
}
