package import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// An answer of a server that was written down instead of sent: what the store makes of it can be tried without a
/// network.
package struct RecordedAnswer: Sendable {
  package var status: Int
  package var headers: [String: String]
  /// The body in the pieces in which it comes.
  package var pieces: [Data]

  package init(status: Int, headers: [String: String] = [:], pieces: [Data] = []) {
    self.status = status
    self.headers = headers
    self.pieces = pieces
  }

  /// What the store asks a server for, and where it keeps what comes.
  package struct Request: Sendable {
    package var address: URL
    package var directory: URL
    package var size: Int64?
    package var sha256: String?
    package var version: String?

    package init(address: URL, directory: URL, size: Int64? = nil, sha256: String? = nil, version: String? = nil) {
      self.address = address
      self.directory = directory
      self.size = size
      self.sha256 = sha256
      self.version = version
    }

    /// Where the part of the file lies, and the note of what it is a part of.
    package var partialPaths: (data: String, note: String) { (folder.partialDataPath, folder.partialNotePath) }

    fileprivate var folder: ModelFolder {
      ModelFolder(CustomRemoteModel(remoteModelSource: URLModelSource(name: "recorded", url: address)), in: directory)
    }

    fileprivate var file: RemoteModelFile {
      RemoteModelFile(url: address, size: size, version: version, sha256: sha256)
    }
  }

  /// Takes the answer as that to a download, which goes on where the part of the file ends.
  ///
  /// - Returns: how many bytes of the file there are; `nil` when the answer is none that brings it.
  /// - Throws: `ModelStoreError` as the download would.
  package func receive(_ request: Request) throws -> Int64? {
    let folder = request.folder
    try folder.make()
    let partial = PartialFile(folder: folder)
    let receiver = FileReceiver(
      request.file, from: partial.start(for: request.file), into: partial, client: client(request),
      progress: { _, _ in })
    defer { _ = receiver.close() }
    guard try receiver.begin(response(request)) != .none else { return nil }
    for piece in pieces { try receiver.receive(piece) }
    guard case .body(let body) = receiver.close() else { return nil }
    return body.received
  }

  /// Takes the answer as that of Firebase, which says where the model lies.
  ///
  /// - Throws: `ModelStoreError` as the source would.
  package func model(_ request: Request) throws -> RemoteModelFile {
    let answer = FirebaseAnswer(response: try response(request), body: body, model: "recorded")
    guard status == 200 else { throw answer.failure }
    return try answer.file(sha256: request.sha256, rules: client(request).rules)
  }

  /// Takes the body as a manifest, which says where the model lies.
  ///
  /// - Throws: `ModelStoreError` as the source would.
  package func manifest(_ request: Request) throws -> RemoteModelFile {
    guard status == 200 else { throw HTTPStatus.error(try response(request), body: body, url: request.address) }
    return try ManifestModelSource(name: "recorded", manifestURL: request.address).file(
      of: body, client: client(request))
  }

  private var body: Data { pieces.reduce(Data(), +) }

  private func client(_ request: Request) -> HTTPClient {
    HTTPClient(options: ModelStoreOptions(directory: request.directory))
  }

  private func response(_ request: Request) throws(ModelStoreError) -> HTTPURLResponse {
    guard
      let response = HTTPURLResponse(
        url: request.address, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers)
    else {
      throw ModelStoreError(.internalError, "the answer is not one of HTTP")
    }
    return response
  }
}
