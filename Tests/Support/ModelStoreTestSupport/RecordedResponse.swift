package import Foundation
@_spi(Facades) package import SwiftletModelStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A recorded server response, with which the store's parsers can be tested without a network.
package struct RecordedResponse: Sendable {
  package var status: Int
  package var headers: [String: String]
  /// The pieces of the body, as they arrive.
  package var pieces: [Data]

  package init(status: Int, headers: [String: String] = [:], pieces: [Data] = []) {
    self.status = status
    self.headers = headers
    self.pieces = pieces
  }

  /// The store's request to a server, and the destination of the response.
  package struct Request: Sendable {
    package var url: URL
    package var directory: URL
    package var size: Int64?
    package var sha256: String?
    package var version: String?

    package init(url: URL, directory: URL, size: Int64? = nil, sha256: String? = nil, version: String? = nil) {
      self.url = url
      self.directory = directory
      self.size = size
      self.sha256 = sha256
      self.version = version
    }

    /// The paths of the partial file and of its note, which identifies the complete file.
    package var partialPaths: (data: String, note: String) { (folder.partialDataPath, folder.partialNotePath) }

    fileprivate var folder: ModelFolder { ModelFolder(RemoteModel(name: "recorded", url: url), in: directory) }

    fileprivate var file: RemoteModelFile { RemoteModelFile(url: url, size: size, version: version, sha256: sha256) }
  }

  /// Handles the response as that of a download, which continues the partial file.
  ///
  /// - Returns: The number of bytes of the file, or `nil` if the response doesn't contain it.
  /// - Throws: `ModelStoreError` as the download would.
  package func receive(_ request: Request) throws -> Int64? {
    let folder = request.folder
    try folder.make()
    let partial = PartialFile(folder: folder)
    let receiver = FileReceiver(
      request.file, from: partial.start(for: request.file), into: partial,
      client: HTTPClient(options: ModelStoreOptions(directory: request.directory)), progress: { _, _ in })
    defer { _ = receiver.close() }
    guard try receiver.begin(response(request)) != .none else { return nil }
    for piece in pieces { try receiver.receive(piece) }
    guard case .body(let body) = receiver.close() else { return nil }
    return body.received
  }

  /// Returns the response as that of a service.
  package func document(_ request: Request) throws -> HTTPDocument {
    HTTPDocument(try response(request), body: body, url: request.url)
  }

  /// Handles the body as a manifest.
  ///
  /// - Throws: `ModelStoreError` as the source would.
  package func manifest(_ request: Request) throws -> RemoteModelFile {
    guard status == 200 else { throw try document(request).error }
    return try ManifestModelSource(url: request.url).file(of: body, name: "recorded", policy: URLPolicy())
  }

  private var body: Data { pieces.reduce(Data(), +) }

  private func response(_ request: Request) throws(ModelStoreError) -> HTTPURLResponse {
    guard
      let response = HTTPURLResponse(
        url: request.url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    else {
      throw ModelStoreError(.internalError, "the response is not valid HTTP")
    }
    return response
  }
}
