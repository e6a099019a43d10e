import Foundation
import MLKit
import ModelStoreTestSupport
import SwiftletBase
import SwiftletModelStore
import SwiftletTestSupport

/// A server that implements the protocol of Firebase's hosted models, with faults that a test configures.
final class FakeFirebase: Sendable {
  typealias Answer = @Sendable (_ number: Int, _ request: LoopbackServer.Request) -> LoopbackResponse?

  /// The hosted model.
  struct Hosted: Sendable {
    var bytes = SampleModel.bytes()
    var hash = "\"hash-1\""
    var expireTime = "2100-01-01T00:00:00.123456Z"
    /// The declared size, or `nil` for the true one.
    var sizeBytes: String?
  }

  private struct State {
    var hosted: Hosted
    var infoCount = 0
    var fileCount = 0
  }

  private final class Service: Sendable {
    let state: Mutex<State>
    let port = Mutex<UInt16>(0)

    init(_ hosted: Hosted) { state = Mutex(State(hosted: hosted)) }
  }

  let name: String
  let server: LoopbackServer
  private let service: Service

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - info: A closure that can replace the service's response to a request for the model's information; requests are
  ///     counted from 0.
  ///   - file: A closure that responds to the request for the file.
  init(
    _ hosted: Hosted = Hosted(), info: @escaping Answer = { _, _ in nil }, file: @escaping Answer = { _, _ in nil }
  ) throws {
    let service = Service(hosted)
    let name = SampleModel.name()
    self.name = name
    server = try LoopbackServer { request in
      let port = service.port.withLock { $0 }
      return service.state.withLock { state in
        switch request.path {
        case "/v1beta2/projects/demo/models/\(name):download":
          defer { state.infoCount += 1 }
          return info(state.infoCount, request) ?? FakeFirebase.info(state.hosted, request, port: port)
        case "/files/model":
          defer { state.fileCount += 1 }
          return file(state.fileCount, request)
            ?? .file(state.hosted.bytes, etag: "\"file-\(state.hosted.hash.filter(\.isNumber))\"", for: request)
        default: return LoopbackResponse(status: 404)
        }
      }
    }
    self.service = service
    service.port.withLock { [server] in $0 = server.port }
  }

  private static func info(_ hosted: Hosted, _ request: LoopbackServer.Request, port: UInt16) -> LoopbackResponse {
    if request.headers["if-none-match"] == hosted.hash {
      return LoopbackResponse(status: 304, headers: ["etag": hosted.hash], length: .none)
    }
    return LoopbackResponse(
      headers: ["etag": hosted.hash],
      json: """
        {"downloadUri": "http://127.0.0.1:\(port)/files/model?signature=\(UUID().uuidString)", "expireTime": "\(hosted.expireTime)",
         "sizeBytes": "\(hosted.sizeBytes ?? String(hosted.bytes.count))", "modelFormat": "TFLITE"}
        """)
  }

  /// Publishes a new version.
  func publish(_ hosted: Hosted) { service.state.withLock { $0.hosted = hosted } }

  var infoRequests: [LoopbackServer.Request] { server.requests.filter { $0.path != "/files/model" } }
  var fileRequests: [LoopbackServer.Request] { server.requests.filter { $0.path == "/files/model" } }

  var configuration: FirebaseConfiguration {
    FirebaseConfiguration(
      projectID: "demo", apiKey: "key&1", appID: "1:2:ios:3", bundleID: "com.example.app", baseURL: server.url(""),
      installationToken: { "token-1" })
  }

  func remoteModel(sha256: String? = nil) -> CustomRemoteModel {
    CustomRemoteModel(remoteModelSource: FirebaseModelSource(name: name, configuration: configuration, sha256: sha256))
  }

  /// Returns the same model for the store below the manager.
  func model(sha256: String? = nil) -> SwiftletModelStore.RemoteModel { remoteModel(sha256: sha256).model }
}
